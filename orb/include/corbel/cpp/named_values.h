// What dynamic requests are made of: named values, exceptions, names of contexts (CORBA 3.4 part 1, "Dynamic
// Invocation Interface"; OMG C++ mapping 1.3, "NamedValue", "NVList"). The library Corbel::dynamic.
//
// Objects of these classes are counted and belong to one thread at a time. What they give stays theirs.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/local_exception.h>

namespace CORBA {

// How an argument is passed.
constexpr Flags ARG_IN = 1;
constexpr Flags ARG_OUT = 2;
constexpr Flags ARG_INOUT = 3;
// These may be added and change nothing: values are copied in any case, and results belong to their list.
constexpr Flags OUT_LIST_MEMORY = 0x10;
constexpr Flags IN_COPY_VALUE = 0x20;

// The index is not below count().
class [[gnu::visibility("default")]] Bounds : public corbel::cpp::LocalException<Bounds> {
 public:
  static constexpr const char* kName = "Bounds";
  static constexpr const char* kId = "IDL:omg.org/CORBA/Bounds:1.0";
};

typedef NamedValue* NamedValue_ptr;
typedef corbel::cpp::ObjectVar<NamedValue> NamedValue_var;
typedef corbel::cpp::ObjectOut<NamedValue> NamedValue_out;
typedef NVList* NVList_ptr;
typedef corbel::cpp::ObjectVar<NVList> NVList_var;
typedef corbel::cpp::ObjectOut<NVList> NVList_out;
typedef ExceptionList* ExceptionList_ptr;
typedef corbel::cpp::ObjectVar<ExceptionList> ExceptionList_var;
typedef corbel::cpp::ObjectOut<ExceptionList> ExceptionList_out;
typedef ContextList* ContextList_ptr;
typedef corbel::cpp::ObjectVar<ContextList> ContextList_var;
typedef corbel::cpp::ObjectOut<ContextList> ContextList_out;

}  // namespace CORBA

namespace corbel::cpp {

// Counted from 1.
template <typename Self>
class PseudoObject {
 public:
  typedef Self* _ptr_type;
  typedef ObjectVar<Self> _var_type;
  static Self* _duplicate(Self* object) {
    if (object) object->_corbel_add_ref();
    return object;
  }
  static Self* _nil() { return nullptr; }
  void _corbel_add_ref() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }
  void _corbel_remove_ref() {
    if (gives_up_last()) delete static_cast<Self*>(this);
  }
  PseudoObject(const PseudoObject&) = delete;
  PseudoObject& operator=(const PseudoObject&) = delete;

 protected:
  PseudoObject() = default;
  ~PseudoObject() = default;
  bool gives_up_last() { return __atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1; }
  // False once the last has been given up: another thread is about to destroy it.
  bool add_ref_unless_gone() {
    CORBA::ULong count = __atomic_load_n(&count_, __ATOMIC_RELAXED);
    while (count != 0)
      if (__atomic_compare_exchange_n(&count_, &count, count + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return true;
    return false;
  }
  bool has_one_owner() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 1; }
  void live_again() { count_ = 1; }

 private:
  CORBA::ULong count_ = 1;
};

}  // namespace corbel::cpp

namespace CORBA {

// An argument or a result.
class [[gnu::visibility("default")]] NamedValue : public corbel::cpp::PseudoObject<NamedValue> {
 public:
  const char* name() const { return name_.in() ? name_.in() : ""; }
  // May be changed.
  Any* value() const { return const_cast<Any*>(&value_); }
  Flags flags() const { return flags_; }

  // For the ORB: takes the name over; null is an empty one.
  NamedValue(char* name, Flags flags) : name_(name), flags_(flags) {}
  // Comes and goes with calls: of the memory that the thread keeps for strings.
  static void* operator new(std::size_t size);
  static void operator delete(void* memory, std::size_t size);

 private:
  friend class corbel::cpp::PseudoObject<NamedValue>;
  friend class NVList;
  ~NamedValue() = default;
  String_var name_;
  Any value_;
  Flags flags_;
};

class [[gnu::visibility("default")]] NVList : public corbel::cpp::PseudoObject<NVList> {
 public:
  ULong count() const { return count_; }
  // Each adds an item at the end and gives it. INV_FLAG unless the flags are ARG_IN, ARG_OUT or ARG_INOUT,
  // perhaps with OUT_LIST_MEMORY or IN_COPY_VALUE. A null name is an empty one.
  NamedValue_ptr add(Flags flags) {
    if (spare_ == 0 || flags - ARG_IN > ARG_INOUT - ARG_IN) return add_new(flags);
    NamedValue_ptr const item = few_[count_++];
    --spare_;
    item->flags_ = flags;
    return item;
  }
  NamedValue_ptr add_item(const char* name, Flags flags);
  NamedValue_ptr add_value(const char* name, const Any& value, Flags flags);
  // The same; they take over what they are given, also when they throw.
  NamedValue_ptr add_item_consume(char* name, Flags flags);
  NamedValue_ptr add_value_consume(char* name, Any* value, Flags flags);
  // Raises Bounds.
  NamedValue_ptr item(ULong index) {
    if (index >= count_) raise_bounds();
    return items_[index];
  }
  void remove(ULong index);

  // For the ORB.
  NVList() = default;
  static void* operator new(std::size_t size);  // as of a NamedValue
  static void operator delete(void* memory, std::size_t size);
  NamedValue& _corbel_item(ULong index) const { return *items_[index]; }
  // An empty one: new, or the one that the thread has kept.
  static NVList* _corbel_make();
  void _corbel_remove_ref() {
    if (gives_up_last()) end();
  }

 private:
  friend class corbel::cpp::PseudoObject<NVList>;
  struct Keeper;
  ~NVList();
  NamedValue_ptr put(NamedValue* item) {
    if (spare_ != 0) drop_spare();
    if (count_ == room_) make_room(item);
    return items_[count_++] = item;
  }
  [[noreturn]] static void raise_bounds();
  NamedValue_ptr add_new(Flags flags);
  void make_room(NamedValue* item);
  void end();
  [[gnu::noinline]] void end_all();
  [[gnu::noinline]] void destroy();
  static bool thread_keeps();
  void drop_spare();
  static constexpr ULong kFew = 4;
  NamedValue* few_[kFew];
  NamedValue** items_ = few_;
  ULong count_ = 0, room_ = kFew;
  ULong spare_ = 0;  // items of an earlier life behind those of this one, among the few
};

// TypeCodes of the user exceptions that an operation may raise.
class [[gnu::visibility("default")]] ExceptionList : public corbel::cpp::PseudoObject<ExceptionList> {
 public:
  ULong count() const { return count_; }
  // BAD_PARAM for nil, BAD_TYPECODE for what is no exception.
  void add(TypeCode_ptr type);
  // The same; takes the count over.
  void add_consume(TypeCode_ptr type);
  // Raises Bounds.
  TypeCode_ptr item(ULong index);
  void remove(ULong index);

  // For the ORB.
  ExceptionList() = default;

 private:
  friend class corbel::cpp::PseudoObject<ExceptionList>;
  ~ExceptionList();
  TypeCode_ptr* items_ = nullptr;
  ULong count_ = 0, room_ = 0;
};

// Names of the properties that an operation's context clause lists; a "*" at the end stands for any rest.
class [[gnu::visibility("default")]] ContextList : public corbel::cpp::PseudoObject<ContextList> {
 public:
  ULong count() const { return count_; }
  // BAD_PARAM for null.
  void add(const char* name);
  // The same; takes the name over.
  void add_consume(char* name);
  // Raises Bounds.
  const char* item(ULong index);
  void remove(ULong index);

  // For the ORB.
  ContextList() = default;
  const char* const* _corbel_names() const { return items_; }

 private:
  friend class corbel::cpp::PseudoObject<ContextList>;
  ~ContextList();
  char** items_ = nullptr;
  ULong count_ = 0, room_ = 0;
};

inline void release(NamedValue* value) { corbel::cpp::drop(value); }
inline Boolean is_nil(NamedValue* value) { return value == nullptr; }
inline void release(NVList* list) { corbel::cpp::drop(list); }
inline Boolean is_nil(NVList* list) { return list == nullptr; }
inline void release(ExceptionList* list) { corbel::cpp::drop(list); }
inline Boolean is_nil(ExceptionList* list) { return list == nullptr; }
inline void release(ContextList* list) { corbel::cpp::drop(list); }
inline Boolean is_nil(ContextList* list) { return list == nullptr; }

}  // namespace CORBA
