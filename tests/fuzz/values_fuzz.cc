// Feeds arbitrary bytes to the readers of values and of Anys that hold some, in either byte order, in one
// piece or in fragments of GIOP 1.1, with some of the classes known and some not. What was taken is passed on
// and read again; in the end nothing is left.
#include <corbel/any.h>
#include <corbel/corba.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "values.any.h"

namespace {

std::set<CORBA::ValueBase*> alive;

template <typename OBV>
struct Counted final : public virtual OBV {
  Counted() { alive.insert(this); }
  ~Counted() override { alive.erase(this); }
};
template <typename OBV>
struct Factory final : CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Counted<OBV>; }
};
class Own final : public virtual OBV_Values::Own, public virtual CORBA::DefaultValueRefCountBase {
 public:
  Own() { alive.insert(this); }
  ~Own() override { alive.erase(this); }
  void marshal(CORBA::DataOutputStream& out) override { out.write_long(a()), out.write_Value(inside.in()); }
  void unmarshal(CORBA::DataInputStream& in) override {
    a(in.read_long());
    inside = in.read_Value();
  }
  void _corbel_clear() override { inside = static_cast<CORBA::ValueBase*>(nullptr); }
  CORBA::ValueBase_var inside;
};
struct OwnFactory final : CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Own; }
};

template <typename F>
void know(CORBA::ORB_ptr orb, const char* id) {
  CORBA::ValueFactory_var factory = new F;
  CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
}

CORBA::ORB_ptr make_orb() {
  const char* args[] = {"fuzz", nullptr};
  int argc = 1;
  CORBA::ORB_ptr const orb = CORBA::ORB_init(argc, const_cast<char**>(args));
  know<Factory<OBV_Values::Base>>(orb, "IDL:Values/Base:1.0");
  know<Factory<OBV_Values::Middle>>(orb, "IDL:Values/Middle:1.0");
  know<Factory<OBV_Values::Node>>(orb, "IDL:Values/Node:1.0");
  know<Factory<OBV_Values::Ring>>(orb, "IDL:Values/Ring:1.0");
  know<Factory<OBV_Values::Carrier>>(orb, "IDL:Values/Carrier:1.0");
  know<OwnFactory>(orb, "IDL:Values/Own:1.0");
  return orb;
}

// What may stand where, two bits each: as in the parameters of an operation.
struct Results {
  std::vector<CORBA::ValueBase_var> values;
  std::vector<CORBA::Any> anys;
};

void read(corbel::cdr::Decoder& in, unsigned kinds, Results& results) {
  static constexpr corbel::cpp::KnownBox kBoxes[] = {
      {Values::Bag::_corbel_value_type.id, Values::Bag::_corbel_maker()},
      {Values::Name::_corbel_value_type.id, Values::Name::_corbel_maker()},
      {Values::Rings::_corbel_value_type.id, Values::Rings::_corbel_maker()}};
  const corbel::cpp::ReadValues scope(in, kBoxes);
  const auto value = [&](auto var) {
    if (!corbel::cpp::get_value(in, var)) return false;
    results.values.emplace_back(var._retn());
    return true;
  };
  for (bool good = true; good && in.remaining() > 0; kinds >>= 2) {
    switch (kinds & 3) {
      case 0:
        good = value(CORBA::ValueBase_var());
        break;
      case 1:
        good = value(Values::Node_var());
        break;
      case 2:
        good = value(Values::Base_var());
        break;
      default:
        results.anys.emplace_back();
        good = results.anys.back()._corbel_unmarshal(in);
    }
  }
}

// As its own class, as the class of each declared type, and as it is.
void extract(const CORBA::Any& any) {
  Values::Node* node;
  Values::Base* base;
  Values::Own* own;
  CORBA::ValueBase_var value;
  (void)(any >>= node);
  (void)(any >>= base);
  (void)(any >>= own);
  (void)(any >>= CORBA::Any::to_value(value.out()));
}

template <typename Attempt>
void attempt(const Attempt& what) {
  try {
    what();
  } catch (const CORBA::SystemException&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace corbel;
  if (size < 3) return 0;
  static CORBA::ORB_ptr const orb = make_orb();
  constexpr std::size_t kHeader = 12;
  const bool swap = (data[0] & 1) != 0;
  const unsigned kinds = data[1];
  const std::size_t cut = data[2];
  // Exactly as large, so that who reads beyond it is seen.
  std::vector<char> message(kHeader + size - 3);
  std::memcpy(message.data() + kHeader, data + 3, size - 3);
  std::vector<std::uint32_t> starts;
  for (std::size_t at = kHeader + cut; cut != 0 && at < message.size() && starts.size() < 64; at += cut)
    starts.push_back(static_cast<std::uint32_t>(at));
  const cdr::Fragments fragments{message.data(), message.data() + message.size(), starts.data(),
                                 static_cast<std::uint32_t>(starts.size())};
  cdr::Decoder in(message.data(), message.data() + kHeader, message.data() + message.size(), swap);
  in.set_context(nullptr, false, &orb->_corbel_core());
  if (!starts.empty()) in.set_fragments(fragments);
  {
    Results results, again;
    attempt([&] { read(in, kinds, results); });
    if ((data[0] & 2) != 0)
      for (const CORBA::Any& any : results.anys) attempt([&] { extract(any); });
    cdr::Encoder out;
    out.reset(data[0] >> 5);
    attempt([&] {
      const cpp::WrittenValues scope(out);
      if ((data[0] & 4) != 0)
        for (const CORBA::Any& any : results.anys) any._corbel_marshal(out);
      for (const CORBA::ValueBase_var& value : results.values) cpp::put_value_base(out, value.in());
      if ((data[0] & 4) == 0)
        for (const CORBA::Any& any : results.anys) any._corbel_marshal(out);
    });
    if (!out.error()) {
      const std::string copy(out.data(), out.size());
      cdr::Decoder other(copy.data(), copy.data() + (data[0] >> 5), copy.data() + copy.size(), false);
      other.set_context(nullptr, false, &orb->_corbel_core());
      attempt([&] { read(other, kinds, again); });
      for (const CORBA::Any& any : again.anys) attempt([&] { extract(any); });
    }
    // Circles are the receiver's to break.
    const std::vector<CORBA::ValueBase*> all(alive.begin(), alive.end());
    for (CORBA::ValueBase* value : all) value->_add_ref();
    for (CORBA::ValueBase* value : all) value->_corbel_clear();
    for (CORBA::ValueBase* value : all) value->_remove_ref();
  }
  if (!alive.empty()) std::abort();
  return 0;
}
