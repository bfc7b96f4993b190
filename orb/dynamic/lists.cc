#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <corbel/cpp/named_values.h>
#include <corbel/cpp/orb.h>

#include "orb/cpp/string_memory.h"
#include "orb/dynamic/raise.h"

namespace CORBA {
namespace {

// Arrays of pointers, which are all that the lists hold.
template <typename P>
void grow(P*& items, ULong& room) {
  const ULong more = std::max<ULong>(4, 2 * room);
  void* const grown = std::realloc(static_cast<void*>(items), more * sizeof(P));
  if (!grown) throw NO_MEMORY();
  items = static_cast<P*>(grown);
  room = more;
}
template <typename P>
void append(P*& items, ULong& count, ULong& room, P item) {
  if (count == room) grow(items, room);
  items[count++] = item;
}
template <typename P>
P take_out(P* items, ULong& count, ULong index) {
  if (index >= count) throw Bounds();
  P const item = items[index];
  std::copy(items + index + 1, items + count, items + index);
  --count;
  return item;
}

Flags checked(Flags flags) {
  const Flags how = flags & ~(OUT_LIST_MEMORY | IN_COPY_VALUE);
  if (how != ARG_IN && how != ARG_OUT && how != ARG_INOUT)
    corbel::cpp::raise({corbel::SystemErrorId::INV_FLAG, corbel::Completion::No, 0,
                        "an argument is ARG_IN, ARG_OUT or ARG_INOUT"});
  return flags;
}

void* allocate(std::size_t size) {
  void* const memory = corbel::cpp::string_memory::allocate(size);
  if (!memory) throw NO_MEMORY();
  return memory;
}

}  // namespace

void* NamedValue::operator new(std::size_t size) { return allocate(size); }
void NamedValue::operator delete(void* memory, std::size_t size) {
  corbel::cpp::string_memory::release(memory, size);
}

// ---- NVList

void* NVList::operator new(std::size_t size) { return allocate(size); }
void NVList::operator delete(void* memory, std::size_t size) {
  corbel::cpp::string_memory::release(memory, size);
}

// Servants without skeletons and requests need a list for each call, mostly with the same few items, so a
// thread keeps one that nobody has any more, with its items and without their values.
namespace {
constinit thread_local NVList* kept_list [[gnu::tls_model("initial-exec")]] = nullptr;
constinit thread_local bool keeps_list [[gnu::tls_model("initial-exec")]] = false;
}  // namespace

// Ends with its thread.
struct NVList::Keeper {
  Keeper() { keeps_list = true; }
  ~Keeper() {
    keeps_list = false;
    delete std::exchange(kept_list, nullptr);
  }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
};

NVList* NVList::_corbel_make() {
  NVList* const kept = kept_list;
  if (!kept) return new NVList;
  kept_list = nullptr;
  return kept;
}

void ORB::create_list(Long, NVList_out list) {
  corbel::dynamic::check(*core_);
  list = NVList::_corbel_make();
}

bool NVList::thread_keeps() {
  thread_local bool was_keeper = false;
  if (!corbel::cpp::string_memory::kKeeps || std::exchange(was_keeper, true))
    return false;  // the thread ends
  thread_local Keeper keeper;
  return true;
}

void NVList::destroy() { delete this; }

void NVList::end() {
  if (count_ != 1 || items_ != few_ || kept_list || !keeps_list) return end_all();
  NamedValue& item = *few_[0];
  if (!item.has_one_owner() || item.name_.in() || item.value_.natives_) return end_all();
  ++spare_;
  count_ = 0;
  live_again();
  kept_list = this;
  item.value_.give_up();  // last: what ends with it may make lists
}

// Any number of items, whose values may be the program's.
void NVList::end_all() {
  if (kept_list || items_ != few_ || (!keeps_list && !thread_keeps())) return destroy();
  const ULong count = count_;
  for (ULong i = 0; i < count; ++i) {
    NamedValue& item = *few_[i];
    if (!item.has_one_owner() || item.name_.in()) return destroy();
    item.value_.give_up();
  }
  if (kept_list) return destroy();  // what has ended with a value has made one, and ended it
  spare_ += std::exchange(count_, 0);
  live_again();
  kept_list = this;
}

void NVList::drop_spare() {
  for (; spare_ != 0; --spare_) few_[count_ + spare_ - 1]->_corbel_remove_ref();
}

NVList::~NVList() {
  if (spare_ != 0) drop_spare();
  for (ULong i = 0; i < count_; ++i) items_[i]->_corbel_remove_ref();
  if (items_ != few_) std::free(static_cast<void*>(items_));
}

// For this item, which is the list's, and freed if there is no memory.
void NVList::make_room(NamedValue* item) {
  NamedValue_var owned = item;
  NamedValue** items = items_ == few_ ? nullptr : items_;
  grow(items, room_);
  if (items_ == few_) std::copy(few_, few_ + kFew, items);
  items_ = items;
  (void)owned._retn();
}

NamedValue_ptr NVList::add_new(Flags flags) { return put(new NamedValue(nullptr, checked(flags))); }

NamedValue_ptr NVList::add_item(const char* name, Flags flags) {
  return add_item_consume(name && *name != '\0' ? string_dup(name) : nullptr, flags);
}

NamedValue_ptr NVList::add_value(const char* name, const Any& value, Flags flags) {
  NamedValue_ptr const item = add_item(name, flags);
  *item->value() = value;
  return item;
}

NamedValue_ptr NVList::add_item_consume(char* name, Flags flags) {
  String_var owned = name;
  const Flags good = checked(flags);
  return put(new NamedValue(owned._retn(), good));
}

NamedValue_ptr NVList::add_value_consume(char* name, Any* value, Flags flags) {
  Any_var owned = value;
  NamedValue_ptr const item = add_item_consume(name, flags);
  if (value) item->value()->swap(*value);
  return item;
}

void NVList::raise_bounds() { throw Bounds(); }

void NVList::remove(ULong index) {
  if (spare_ != 0) drop_spare();
  take_out(items_, count_, index)->_corbel_remove_ref();
}

// ---- ExceptionList

ExceptionList::~ExceptionList() {
  for (ULong i = 0; i < count_; ++i) CORBA::release(items_[i]);
  std::free(static_cast<void*>(items_));
}

void ExceptionList::add(TypeCode_ptr type) { add_consume(TypeCode::_duplicate(type)); }

void ExceptionList::add_consume(TypeCode_ptr type) {
  TypeCode_var owned = type;
  if (!type) throw BAD_PARAM();
  if (corbel::types::resolve(type)->kind != corbel::types::Kind::Except) throw BAD_TYPECODE();
  append(items_, count_, room_, type);
  (void)owned._retn();
}

TypeCode_ptr ExceptionList::item(ULong index) {
  if (index >= count_) throw Bounds();
  return items_[index];
}

void ExceptionList::remove(ULong index) { CORBA::release(take_out(items_, count_, index)); }

// ---- ContextList

ContextList::~ContextList() {
  for (ULong i = 0; i < count_; ++i) string_free(items_[i]);
  std::free(static_cast<void*>(items_));
}

void ContextList::add(const char* name) {
  if (!name) throw BAD_PARAM();
  add_consume(string_dup(name));
}

void ContextList::add_consume(char* name) {
  if (!name) throw BAD_PARAM();
  String_var owned = name;
  append(items_, count_, room_, name);
  (void)owned._retn();
}

const char* ContextList::item(ULong index) {
  if (index >= count_) throw Bounds();
  return items_[index];
}

void ContextList::remove(ULong index) { string_free(take_out(items_, count_, index)); }

}  // namespace CORBA
