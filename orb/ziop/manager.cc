// Module Compression: what compresses, for programs to use, to add to, and to take away.
#include <corbel/compression.h>

#include <atomic>
#include <cstring>

#include "orb/core/orb.h"
#include "orb/cpp/initial_objects.h"
#include "orb/ziop/compression.h"
#include "orb/ziop/mapping.h"

namespace corbel::ziop {
namespace {

using Compression::Buffer;

// ---- the library's own, as programs see them

class Factory;

[[noreturn]] void fail(const char* what) {
  Compression::CompressionException error;
  error.description = what;
  throw error;
}

class Compressor final : public Compression::Compressor {
 public:
  Compressor(Factory& factory, std::uint16_t level);
  ~Compressor() override;

  void compress(const Buffer& source, Buffer& target) override;
  void decompress(const Buffer& source, Buffer& target) override;
  Compression::CompressorFactory_ptr compressor_factory() override;
  Compression::CompressionLevel compression_level() override { return level_; }
  CORBA::ULongLong compressed_bytes() override { return compressed_; }
  CORBA::ULongLong uncompressed_bytes() override { return uncompressed_; }
  Compression::CompressionRatio compression_ratio() override {
    const CORBA::ULongLong all = uncompressed_;
    return all == 0 ? 1 : static_cast<float>(static_cast<double>(compressed_) / static_cast<double>(all));
  }

 private:
  void count(std::size_t compressed, std::size_t uncompressed) {
    compressed_ += compressed;
    uncompressed_ += uncompressed;
  }
  Factory& factory_;  // counted
  const std::uint16_t level_;
  std::atomic<CORBA::ULongLong> compressed_{0}, uncompressed_{0};
};

class Factory final : public Compression::CompressorFactory {
 public:
  Factory(std::uint16_t id, std::shared_ptr<Codec> codec) : id_(id), codec_(std::move(codec)) {}
  Compression::CompressorId compressor_id() override { return id_; }
  Compression::Compressor_ptr get_compressor(Compression::CompressionLevel level) override {
    return new Compressor(*this, level);
  }
  Codec& codec() const { return *codec_; }

 private:
  const std::uint16_t id_;
  const std::shared_ptr<Codec> codec_;
};

Compressor::Compressor(Factory& factory, std::uint16_t level) : factory_(factory), level_(level) {
  Compression::CompressorFactory::_duplicate(&factory_);
}
Compressor::~Compressor() { CORBA::release(&factory_); }

Compression::CompressorFactory_ptr Compressor::compressor_factory() {
  return Compression::CompressorFactory::_duplicate(&factory_);
}

void Compressor::compress(const Buffer& source, Buffer& target) {
  const CORBA::ULong size = source.length();
  // What does not shrink grows by some octets for each block.
  Buffer space;
  space.length(size + size / 64 + 256);
  iovec part{const_cast<CORBA::Octet*>(source.get_buffer()), size};
  std::size_t used;
  if (!factory_.codec().compress(level_, {part}, reinterpret_cast<char*>(space.get_buffer()), space.length(),
                                 used))
    fail("the octets cannot be compressed");
  space.length(static_cast<CORBA::ULong>(used));
  count(used, size);
  target = space;
}

void Compressor::decompress(const Buffer& source, Buffer& target) {
  Buffer space;
  space.length(target.length());
  std::size_t used;
  if (!factory_.codec().expand(reinterpret_cast<const char*>(source.get_buffer()), source.length(),
                               reinterpret_cast<char*>(space.get_buffer()), space.length(), used))
    fail("the octets are not what this compressor writes, or stand for more than the target's length");
  space.length(static_cast<CORBA::ULong>(used));
  count(source.length(), used);
  target = space;
}

// ---- the program's, as the library sees them

class Foreign final : public Codec {
 public:
  explicit Foreign(Compression::CompressorFactory_ptr factory)
      : factory_(Compression::CompressorFactory::_duplicate(factory)) {}

  Compression::CompressorFactory_ptr factory() const { return factory_.in(); }

  bool compress(std::uint16_t level, const std::vector<iovec>& parts, char* to, std::size_t most,
                std::size_t& used) override {
    std::size_t size = 0;
    for (const iovec& part : parts) size += part.iov_len;
    try {
      Buffer source, target;
      CORBA::Octet* at = source._corbel_overwrite(static_cast<CORBA::ULong>(size));
      for (const iovec& part : parts) {
        std::memcpy(at, part.iov_base, part.iov_len);
        at += part.iov_len;
      }
      target.length(static_cast<CORBA::ULong>(size));
      Compression::Compressor_var compressor = factory_->get_compressor(level);
      if (!compressor.in()) return false;
      compressor->compress(source, target);
      return take(target, to, most, used);
    } catch (...) {
      return false;
    }
  }
  bool plausible(const char*, std::size_t, std::size_t) const override { return true; }
  bool expand(const char* data, std::size_t size, char* to, std::size_t most, std::size_t& used) override {
    try {
      Buffer source, target;
      CORBA::Octet* const at = source._corbel_overwrite(static_cast<CORBA::ULong>(size));
      if (size != 0) std::memcpy(at, data, size);
      target._corbel_overwrite(static_cast<CORBA::ULong>(most));  // a claim so far: its memory is not touched
      Compression::Compressor_var compressor = factory_->get_compressor(0);
      if (!compressor.in()) return false;
      compressor->decompress(source, target);
      return take(target, to, most, used);
    } catch (...) {
      return false;
    }
  }

 private:
  static bool take(const Buffer& result, char* to, std::size_t most, std::size_t& used) {
    used = result.length();
    if (used > most) return false;
    if (used != 0) std::memcpy(to, result.get_buffer(), used);
    return true;
  }
  const Compression::CompressorFactory_var factory_;
};

// ---- all of them

class Manager final : public Compression::CompressionManager {
 public:
  explicit Manager(core::Orb& orb) : orb_(base::Ref<core::Orb>::share(&orb)) {}

  void register_factory(Compression::CompressorFactory_ptr factory) override {
    if (!factory) cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, 0, "the factory is nil"});
    const Compression::CompressorId id = factory->compressor_id();
    if (id == Compression::COMPRESSORID_NONE)
      cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, 0, "0 means that nothing is compressed"});
    if (!all().add(id, std::make_shared<Foreign>(factory))) throw Compression::FactoryAlreadyRegistered();
  }
  void unregister_factory(Compression::CompressorId id) override {
    if (!all().remove(id)) throw Compression::UnknownCompressorId();
  }
  Compression::CompressorFactory_ptr get_factory(Compression::CompressorId id) override {
    const std::shared_ptr<Codec> codec = all().find(id);
    if (!codec) throw Compression::UnknownCompressorId();
    const auto* const foreign = dynamic_cast<const Foreign*>(codec.get());
    if (foreign) return Compression::CompressorFactory::_duplicate(foreign->factory());
    return new Factory(id, codec);
  }
  Compression::Compressor_ptr get_compressor(Compression::CompressorId id,
                                             Compression::CompressionLevel level) override {
    Compression::CompressorFactory_var factory = get_factory(id);
    return factory->get_compressor(level);
  }
  Compression::CompressorFactorySeq* get_factories() override {
    Compression::CompressorFactorySeq_var list = new Compression::CompressorFactorySeq;
    for (const std::uint16_t id : all().ids()) {
      list->length(list->length() + 1);
      list[list->length() - 1] = get_factory(id);
    }
    return list._retn();
  }
  const void* _corbel_identity() const override { return orb_->compression(); }

 private:
  OrbCompression& all() const { return static_cast<OrbCompression&>(*orb_->compression()); }
  const base::Ref<core::Orb> orb_;
};

CORBA::Object_ptr make_manager(core::Orb& orb) {
  // One that was made before the library was named has none.
  if (!orb.compression()) throw CORBA::ORB::InvalidName();
  return new Manager(orb);
}

constinit cpp::InitialObject manager{"CompressionManager", make_manager};

}  // namespace

void register_manager() { cpp::register_initial_object(manager); }

}  // namespace corbel::ziop
