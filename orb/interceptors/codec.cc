#include "orb/interceptors/codec.h"

#include <bit>

#include <corbel/any.h>

#include "orb/base/ref.h"
#include "orb/cdr/char_sets.h"
#include "orb/giop/code_sets.h"
#include "orb/interceptors/octets.h"
#include "orb/interceptors/raise.h"

namespace corbel::interceptors {
namespace {

// What stands behind a value is padding, at most.
constexpr std::size_t kMostPadding = 7;

// Encapsulations of one GIOP version and, perhaps, code sets (cdr/form.h): how characters stand in them
// depends on both. Immutable, so any thread may use it.
class Codec final : public IOP::Codec {
 public:
  Codec(core::Orb& orb, CORBA::Octet minor, std::uint32_t text)
      : orb_(base::Ref<core::Orb>::share(&orb)), older_(minor < 2 ? 2u - minor : 0), text_(text) {}

  CORBA::OctetSeq* encode(const CORBA::Any& data) override {
    cdr::Encoder out;
    begin(out);
    data._corbel_marshal(out);
    return finish(out);
  }

  CORBA::Any* decode(const CORBA::OctetSeq& data) override {
    cdr::Decoder in;
    if (!begin(data, in)) throw FormatMismatch();
    CORBA::Any_var any = new CORBA::Any;
    if (!any->_corbel_unmarshal(in) || in.remaining() > kMostPadding) throw FormatMismatch();
    return any._retn();
  }

  CORBA::OctetSeq* encode_value(const CORBA::Any& data) override {
    cdr::Encoder whole;
    whole.reset();
    data._corbel_marshal(whole);
    if (whole.error()) throw InvalidTypeForEncoding();
    cdr::Decoder in(whole.data(), whole.data(), whole.data() + whole.size(), false);
    const cpp::ReadValues read(in);
    CORBA::TypeCode_var type;
    cdr::Encoder out;
    begin(out);
    const cpp::WrittenValues written(out);
    if (!cdr::unmarshal(in, type) || !types::transcode(in, out, *type.in())) throw InvalidTypeForEncoding();
    return finish(out);
  }

  CORBA::Any* decode_value(const CORBA::OctetSeq& data, CORBA::TypeCode_ptr type) override {
    if (!type) raise(SystemErrorId::BAD_TYPECODE, 1, "decode_value needs a TypeCode");
    cdr::Decoder in;
    if (!begin(data, in)) throw FormatMismatch();
    // As it would stand in an Any.
    cdr::Encoder whole;
    whole.reset();
    cdr::marshal(whole, type);
    if (whole.error()) cpp::raise(whole.error());
    {
      const cpp::ReadValues read(in);
      const cpp::WrittenValues written(whole);
      if (!types::transcode(in, whole, *type) || in.remaining() > kMostPadding) throw TypeMismatch();
    }
    if (whole.error()) throw TypeMismatch();
    cdr::Decoder again(whole.data(), whole.data(), whole.data() + whole.size(), false);
    again.set_context(nullptr, false, orb_.get());
    CORBA::Any_var any = new CORBA::Any;
    if (!any->_corbel_unmarshal(again)) throw TypeMismatch();
    return any._retn();
  }

 private:
  // Encapsulations begin with their byte order.
  void begin(cdr::Encoder& out) const {
    out.reset();
    out.set_older(older_);
    out.set_text(text_);
    out.put<std::uint8_t>(std::endian::native == std::endian::little);
  }
  CORBA::OctetSeq* finish(cdr::Encoder& out) const {
    if (out.error().id == SystemErrorId::DATA_CONVERSION) cpp::raise(out.error());
    if (out.error()) throw InvalidTypeForEncoding();
    return make_octets<CORBA::OctetSeq>({out.data(), out.size()});
  }
  bool begin(const CORBA::OctetSeq& data, cdr::Decoder& in) const {
    if (data.length() == 0 || data[0] > 1) return false;
    const char* const at = reinterpret_cast<const char*>(data.get_buffer());
    in = cdr::Decoder(at, at + 1, at + data.length(),
                      (data[0] == 1) != (std::endian::native == std::endian::little));
    in.set_older(older_);
    in.set_text(text_);
    in.set_context(nullptr, false, orb_.get());
    return true;
  }

  const base::Ref<core::Orb> orb_;
  const std::uint32_t older_, text_;
};

class CodecFactory final : public IOP::CodecFactory {
 public:
  explicit CodecFactory(core::Orb& orb) : orb_(base::Ref<core::Orb>::share(&orb)) {}
  IOP::Codec_ptr create_codec(const IOP::Encoding& enc) override {
    check(enc);
    return new Codec(*orb_, enc.minor_version, 0);
  }
  IOP::Codec_ptr create_codec_with_codesets(const IOP::Encoding_1_2& enc) override {
    check(enc);
    const std::uint32_t native = orb_->options().code_sets.native;
    const std::uint32_t chars = cdr::find_char_set(enc.char_codeset);
    if (chars == 0 || !cdr::convertible(native, chars)) throw UnsupportedCodeset(enc.char_codeset);
    const std::uint32_t wide = giop::find_wide_set(enc.wchar_codeset);
    const bool two_octets = wide == cdr::form::kUtf16 || wide == cdr::form::kUcs2;
    if (wide == cdr::form::kNoWide || (enc.minor_version < 2 && !two_octets))
      throw UnsupportedCodeset(enc.wchar_codeset);
    return new Codec(*orb_, enc.minor_version, cdr::form::of_sets(chars, native) | wide);
  }
  const void* _corbel_identity() const override { return orb_.get(); }

 private:
  template <typename Encoding>
  static void check(const Encoding& enc) {
    if (enc.format != IOP::ENCODING_CDR_ENCAPS || enc.major_version != 1 || enc.minor_version > 2)
      throw UnknownEncoding();
  }
  const base::Ref<core::Orb> orb_;
};

}  // namespace

IOP::CodecFactory_ptr make_codec_factory(core::Orb& orb) { return new CodecFactory(orb); }

}  // namespace corbel::interceptors
