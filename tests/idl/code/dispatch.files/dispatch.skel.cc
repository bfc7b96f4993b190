// Made by corbel-idl from dispatch.idl; do not edit.
#include "dispatch.skel.h"

::Ways::Base_ptr POA_Ways::Base::_this() { return corbel::cpp::servant_this<::Ways::Base>(this); }

const char* POA_Ways::Base::_interface_repository_id() const { return ::Ways::Base::_corbel_id; }

CORBA::Boolean POA_Ways::Base::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Ways::Base::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

::Ways::Active_ptr POA_Ways::Active::_this() { return corbel::cpp::servant_this<::Ways::Active>(this); }

const char* POA_Ways::Active::_interface_repository_id() const { return ::Ways::Active::_corbel_id; }

CORBA::Boolean POA_Ways::Active::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Ways::Active::_corbel_id) ||
      ::POA_Ways::Base::_is_a(repository_id);
}

::Ways::Binary_ptr POA_Ways::Binary::_this() { return corbel::cpp::servant_this<::Ways::Binary>(this); }

const char* POA_Ways::Binary::_interface_repository_id() const { return ::Ways::Binary::_corbel_id; }

CORBA::Boolean POA_Ways::Binary::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Ways::Binary::_corbel_id) ||
      ::POA_Ways::Base::_is_a(repository_id);
}

::Ways::Hash_ptr POA_Ways::Hash::_this() { return corbel::cpp::servant_this<::Ways::Hash>(this); }

const char* POA_Ways::Hash::_interface_repository_id() const { return ::Ways::Hash::_corbel_id; }

CORBA::Boolean POA_Ways::Hash::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Ways::Hash::_corbel_id) ||
      ::POA_Ways::Base::_is_a(repository_id);
}

::Ways::Linear_ptr POA_Ways::Linear::_this() { return corbel::cpp::servant_this<::Ways::Linear>(this); }

const char* POA_Ways::Linear::_interface_repository_id() const { return ::Ways::Linear::_corbel_id; }

CORBA::Boolean POA_Ways::Linear::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Ways::Linear::_corbel_id) ||
      ::POA_Ways::Base::_is_a(repository_id);
}

::Ways::Perfect_ptr POA_Ways::Perfect::_this() { return corbel::cpp::servant_this<::Ways::Perfect>(this); }

const char* POA_Ways::Perfect::_interface_repository_id() const { return ::Ways::Perfect::_corbel_id; }

CORBA::Boolean POA_Ways::Perfect::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Ways::Perfect::_corbel_id) ||
      ::POA_Ways::Base::_is_a(repository_id);
}

::Words_ptr POA_Words::_this() { return corbel::cpp::servant_this<::Words>(this); }

const char* POA_Words::_interface_repository_id() const { return ::Words::_corbel_id; }

CORBA::Boolean POA_Words::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Words::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

void POA_Ways::Base::_skel_reset(Base& _servant, corbel::cpp::Upcall&) {
  _servant.reset();
}

void POA_Ways::Base::_skel__get_level(Base& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::reply_number<CORBA::Long>(_call, _servant.level());
}

void POA_Ways::Base::_dispatch(corbel::cpp::Upcall& call) {
  static constexpr corbel::cpp::OperationName names[] = {
    {"reset", 5},
    {"_get_level", 10},
  };
  static std::uint32_t slots[4];
  static corbel::cpp::OperationTable table(names, slots);
  switch (table.find(call)) {
    case 0:
      return ::POA_Ways::Base::_skel_reset(*this, call);
    case 1:
      return ::POA_Ways::Base::_skel__get_level(*this, call);
  }
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Ways_Base_reset(void* _skeleton) {
  static_cast<::POA_Ways::Base*>(_skeleton)->reset();
}

void collocated_POA_Ways_Base_reset(::Ways::Base& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Base_reset,
      &::Ways::Base::reset, _stub);
}

inline CORBA::Long call_collocated_POA_Ways_Base__get_level(void* _skeleton) {
  return static_cast<::POA_Ways::Base*>(_skeleton)->level();
}

CORBA::Long collocated_POA_Ways_Base__get_level(::Ways::Base& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Base__get_level,
      &::Ways::Base::level, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Ways::Base::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Base_reset),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Base__get_level),
  };
  if (corbel::cpp::same_id(interface, ::Ways::Base::_corbel_id)) return {this, _functions};
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Ways::Active::_skel_start(Active& _servant, corbel::cpp::Upcall&) {
  _servant.start();
}

void POA_Ways::Active::_skel_store(Active& _servant, corbel::cpp::Upcall&) {
  _servant.store();
}

void POA_Ways::Active::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  const std::uint32_t length = call.operation_length();
  switch (corbel::cpp::operation_number(call)) {
    case 1:
      if (length == 5 && corbel::cpp::same_name(name, "reset"))
        return ::POA_Ways::Base::_skel_reset(*this, call);
      break;
    case 2:
      if (length == 10 && corbel::cpp::same_name(name, "_get_level"))
        return ::POA_Ways::Base::_skel__get_level(*this, call);
      break;
    case 3:
      if (length == 5 && corbel::cpp::same_name(name, "start"))
        return ::POA_Ways::Active::_skel_start(*this, call);
      break;
    case 4:
      if (length == 5 && corbel::cpp::same_name(name, "store"))
        return ::POA_Ways::Active::_skel_store(*this, call);
      break;
  }
  switch (call.operation_length()) {
    case 5:
      switch (corbel::cpp::name_word(name, 5)) {
        case corbel::cpp::name_word("reset", 5):
          if (corbel::cpp::same_name(name, "reset"))
            return ::POA_Ways::Base::_skel_reset(*this, call);
          break;
        case corbel::cpp::name_word("start", 5):
          if (corbel::cpp::same_name(name, "start"))
            return ::POA_Ways::Active::_skel_start(*this, call);
          break;
        case corbel::cpp::name_word("store", 5):
          if (corbel::cpp::same_name(name, "store"))
            return ::POA_Ways::Active::_skel_store(*this, call);
          break;
      }
      break;
    case 10:
      if (corbel::cpp::same_name(name, "_get_level"))
        return ::POA_Ways::Base::_skel__get_level(*this, call);
      break;
  }
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Ways_Active_start(void* _skeleton) {
  static_cast<::POA_Ways::Active*>(_skeleton)->start();
}

void collocated_POA_Ways_Active_start(::Ways::Active& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Active_start,
      &::Ways::Active::start, _stub);
}

inline void call_collocated_POA_Ways_Active_store(void* _skeleton) {
  static_cast<::POA_Ways::Active*>(_skeleton)->store();
}

void collocated_POA_Ways_Active_store(::Ways::Active& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Active_store,
      &::Ways::Active::store, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Ways::Active::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Active_start),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Active_store),
  };
  if (corbel::cpp::same_id(interface, ::Ways::Active::_corbel_id)) return {this, _functions};
  if (const auto way = ::POA_Ways::Base::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Ways::Binary::_skel_start(Binary& _servant, corbel::cpp::Upcall&) {
  _servant.start();
}

void POA_Ways::Binary::_skel_store(Binary& _servant, corbel::cpp::Upcall&) {
  _servant.store();
}

void POA_Ways::Binary::_dispatch(corbel::cpp::Upcall& call) {
  static constexpr corbel::cpp::OperationName names[] = {
    {"reset", 5},
    {"start", 5},
    {"store", 5},
    {"_get_level", 10},
  };
  switch (corbel::cpp::search_operation(names, call)) {
    case 0:
      return ::POA_Ways::Base::_skel_reset(*this, call);
    case 1:
      return ::POA_Ways::Binary::_skel_start(*this, call);
    case 2:
      return ::POA_Ways::Binary::_skel_store(*this, call);
    case 3:
      return ::POA_Ways::Base::_skel__get_level(*this, call);
  }
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Ways_Binary_start(void* _skeleton) {
  static_cast<::POA_Ways::Binary*>(_skeleton)->start();
}

void collocated_POA_Ways_Binary_start(::Ways::Binary& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Binary_start,
      &::Ways::Binary::start, _stub);
}

inline void call_collocated_POA_Ways_Binary_store(void* _skeleton) {
  static_cast<::POA_Ways::Binary*>(_skeleton)->store();
}

void collocated_POA_Ways_Binary_store(::Ways::Binary& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Binary_store,
      &::Ways::Binary::store, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Ways::Binary::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Binary_start),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Binary_store),
  };
  if (corbel::cpp::same_id(interface, ::Ways::Binary::_corbel_id)) return {this, _functions};
  if (const auto way = ::POA_Ways::Base::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Ways::Hash::_skel_start(Hash& _servant, corbel::cpp::Upcall&) {
  _servant.start();
}

void POA_Ways::Hash::_skel_store(Hash& _servant, corbel::cpp::Upcall&) {
  _servant.store();
}

void POA_Ways::Hash::_dispatch(corbel::cpp::Upcall& call) {
  static constexpr corbel::cpp::OperationName names[] = {
    {"reset", 5},
    {"_get_level", 10},
    {"start", 5},
    {"store", 5},
  };
  static std::uint32_t slots[8];
  static corbel::cpp::OperationTable table(names, slots);
  switch (table.find(call)) {
    case 0:
      return ::POA_Ways::Base::_skel_reset(*this, call);
    case 1:
      return ::POA_Ways::Base::_skel__get_level(*this, call);
    case 2:
      return ::POA_Ways::Hash::_skel_start(*this, call);
    case 3:
      return ::POA_Ways::Hash::_skel_store(*this, call);
  }
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Ways_Hash_start(void* _skeleton) {
  static_cast<::POA_Ways::Hash*>(_skeleton)->start();
}

void collocated_POA_Ways_Hash_start(::Ways::Hash& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Hash_start,
      &::Ways::Hash::start, _stub);
}

inline void call_collocated_POA_Ways_Hash_store(void* _skeleton) {
  static_cast<::POA_Ways::Hash*>(_skeleton)->store();
}

void collocated_POA_Ways_Hash_store(::Ways::Hash& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Hash_store,
      &::Ways::Hash::store, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Ways::Hash::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Hash_start),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Hash_store),
  };
  if (corbel::cpp::same_id(interface, ::Ways::Hash::_corbel_id)) return {this, _functions};
  if (const auto way = ::POA_Ways::Base::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Ways::Linear::_skel_start(Linear& _servant, corbel::cpp::Upcall&) {
  _servant.start();
}

void POA_Ways::Linear::_skel_store(Linear& _servant, corbel::cpp::Upcall&) {
  _servant.store();
}

void POA_Ways::Linear::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  const std::uint32_t length = call.operation_length();
  if (length == 5 && corbel::cpp::same_name(name, "reset"))
    return ::POA_Ways::Base::_skel_reset(*this, call);
  if (length == 10 && corbel::cpp::same_name(name, "_get_level"))
    return ::POA_Ways::Base::_skel__get_level(*this, call);
  if (length == 5 && corbel::cpp::same_name(name, "start"))
    return ::POA_Ways::Linear::_skel_start(*this, call);
  if (length == 5 && corbel::cpp::same_name(name, "store"))
    return ::POA_Ways::Linear::_skel_store(*this, call);
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Ways_Linear_start(void* _skeleton) {
  static_cast<::POA_Ways::Linear*>(_skeleton)->start();
}

void collocated_POA_Ways_Linear_start(::Ways::Linear& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Linear_start,
      &::Ways::Linear::start, _stub);
}

inline void call_collocated_POA_Ways_Linear_store(void* _skeleton) {
  static_cast<::POA_Ways::Linear*>(_skeleton)->store();
}

void collocated_POA_Ways_Linear_store(::Ways::Linear& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Linear_store,
      &::Ways::Linear::store, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Ways::Linear::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Linear_start),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Linear_store),
  };
  if (corbel::cpp::same_id(interface, ::Ways::Linear::_corbel_id)) return {this, _functions};
  if (const auto way = ::POA_Ways::Base::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Ways::Perfect::_skel_start(Perfect& _servant, corbel::cpp::Upcall&) {
  _servant.start();
}

void POA_Ways::Perfect::_skel_store(Perfect& _servant, corbel::cpp::Upcall&) {
  _servant.store();
}

void POA_Ways::Perfect::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  const std::uint32_t length = call.operation_length();
  if (length >= 5) {
    static constexpr corbel::cpp::OperationEntry<::POA_Ways::Perfect> entries[] = {
      {"start", 5, ::POA_Ways::Perfect::_skel_start},
      {"store", 5, ::POA_Ways::Perfect::_skel_store},
      {"_get_level", 10, [](auto& s, auto& c) { ::POA_Ways::Base::_skel__get_level(s, c); }},
      {"reset", 5, [](auto& s, auto& c) { ::POA_Ways::Base::_skel_reset(s, c); }},
    };
    static constexpr unsigned char turns[] = {0, 1};
    constexpr std::uint64_t multiplier = 0x6e789e6aa1b965f5;
    std::uint64_t word = corbel::cpp::name_word(name, 4);
    word = word * multiplier ^ corbel::cpp::name_word(name + length - 4, 4);
    const auto& entry = entries[corbel::cpp::perfect_slot(word, multiplier, turns, 4)];
    if (length == entry.length && corbel::cpp::same_name(name, entry.name, length))
      return entry.run(*this, call);
  }
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Ways_Perfect_start(void* _skeleton) {
  static_cast<::POA_Ways::Perfect*>(_skeleton)->start();
}

void collocated_POA_Ways_Perfect_start(::Ways::Perfect& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Perfect_start,
      &::Ways::Perfect::start, _stub);
}

inline void call_collocated_POA_Ways_Perfect_store(void* _skeleton) {
  static_cast<::POA_Ways::Perfect*>(_skeleton)->store();
}

void collocated_POA_Ways_Perfect_store(::Ways::Perfect& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Ways_Perfect_store,
      &::Ways::Perfect::store, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Ways::Perfect::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Perfect_start),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Ways_Perfect_store),
  };
  if (corbel::cpp::same_id(interface, ::Ways::Perfect::_corbel_id)) return {this, _functions};
  if (const auto way = ::POA_Ways::Base::_corbel_collocated(interface); way.functions) return way;
  return PortableServer::ServantBase::_corbel_collocated(interface);
}

void POA_Words::_skel_start_one(POA_Words& _servant, corbel::cpp::Upcall&) {
  _servant.start_one();
}

void POA_Words::_skel_start_two(POA_Words& _servant, corbel::cpp::Upcall&) {
  _servant.start_two();
}

void POA_Words::_skel_stop_one(POA_Words& _servant, corbel::cpp::Upcall&) {
  _servant.stop_one();
}

void POA_Words::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 8:
      if (corbel::cpp::same_name(name, "stop_one"))
        return ::POA_Words::_skel_stop_one(*this, call);
      break;
    case 9:
      switch (corbel::cpp::name_word(name, 8)) {
        case corbel::cpp::name_word("start_on", 8):
          if (corbel::cpp::same_name(name, "start_one"))
            return ::POA_Words::_skel_start_one(*this, call);
          break;
        case corbel::cpp::name_word("start_tw", 8):
          if (corbel::cpp::same_name(name, "start_two"))
            return ::POA_Words::_skel_start_two(*this, call);
          break;
      }
      break;
  }
  unknown_operation(call);
}

namespace {
inline void call_collocated_POA_Words_start_one(void* _skeleton) {
  static_cast<::POA_Words*>(_skeleton)->start_one();
}

void collocated_POA_Words_start_one(::Words& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Words_start_one,
      &::Words::start_one, _stub);
}

inline void call_collocated_POA_Words_start_two(void* _skeleton) {
  static_cast<::POA_Words*>(_skeleton)->start_two();
}

void collocated_POA_Words_start_two(::Words& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Words_start_two,
      &::Words::start_two, _stub);
}

inline void call_collocated_POA_Words_stop_one(void* _skeleton) {
  static_cast<::POA_Words*>(_skeleton)->stop_one();
}

void collocated_POA_Words_stop_one(::Words& _stub, corbel::cpp::Collocated& _target) {
  static constexpr corbel::cpp::Raises _raises{nullptr, 0};
  return corbel::cpp::call_collocated(_target, _raises, call_collocated_POA_Words_stop_one,
      &::Words::stop_one, _stub);
}

}  // namespace

corbel::core::CollocatedServant POA_Words::_corbel_collocated(const char* interface) {
  static const corbel::core::CollocatedFunction _functions[] = {
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Words_start_one),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Words_start_two),
    reinterpret_cast<corbel::core::CollocatedFunction>(&collocated_POA_Words_stop_one),
  };
  if (corbel::cpp::same_id(interface, ::Words::_corbel_id)) return {this, _functions};
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
