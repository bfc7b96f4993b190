#include <corbel/types/type_code.h>

#include <cstring>
#include <map>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "orb/types/block.h"

namespace corbel::types {
namespace {

// Two graphs side by side. Pairs that are being compared already are taken for equal: a difference shows
// elsewhere.
class Comparison {
 public:
  explicit Comparison(bool exact) : exact_(exact) {}

  bool same(const TypeCode* a, const TypeCode* b) {
    if (!exact_) a = resolve(a), b = resolve(b);
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind) return false;
    if (exact_ && (std::strcmp(a->id, b->id) != 0 || std::strcmp(a->name, b->name) != 0)) return false;
    if (!exact_ && *a->id && *b->id) return std::strcmp(a->id, b->id) == 0;
    const bool refers = a->content || a->member_count != 0;  // else there is nothing to come back from
    if (refers && !open_.emplace(a, b).second) return true;
    if (a->length != b->length || a->special != b->special || a->member_count != b->member_count)
      return false;
    if ((a->content || b->content) && !same(a->content, b->content)) return false;
    for (std::uint32_t i = 0; i < a->member_count; ++i) {
      const Member &m = a->members[i], &n = b->members[i];
      if (exact_ && std::strcmp(m.name, n.name) != 0) return false;
      const bool is_default = a->kind == Kind::Union && static_cast<std::int32_t>(i) == a->special;
      if ((!is_default && !same_label(*a, m, n)) || m.visibility != n.visibility) return false;
      if ((m.type || n.type) && !same(m.type, n.type)) return false;
    }
    return true;
  }

 private:
  // Labels of an int8, which to TypeCodes is an octet, have their sign until they have been on the wire.
  static bool same_label(const TypeCode& t, const Member& m, const Member& n) {
    const bool octets = t.kind == Kind::Union && t.content && resolve(t.content)->kind == Kind::Octet;
    return octets ? static_cast<std::uint8_t>(m.label) == static_cast<std::uint8_t>(n.label)
                  : m.label == n.label;
  }

  const bool exact_;
  std::set<std::pair<const TypeCode*, const TypeCode*>> open_;
};

// Types that may contain themselves.
bool may_enclose(Kind kind) {
  return kind == Kind::Struct || kind == Kind::Union || kind == Kind::Value || kind == Kind::Event ||
         kind == Kind::ValueBox || kind == Kind::Except;
}

class Copier {
 public:
  Copier(Block& block, bool compact) : block_(block), compact_(compact) {}

  TypeCode* copy(const TypeCode& from) {
    if (from.kind == Kind::Recursive)
      for (auto i = open_.rbegin(); i != open_.rend(); ++i)
        if (std::strcmp(i->first, from.id) == 0) return i->second;
    if (const auto known = done_.find(&from); known != done_.end()) return known->second;
    TypeCode* const to = block_.type();
    // What holds a placeholder means another type in each place, but in its own circles.
    const bool lasting = is_complete(from);
    done_.emplace(&from, to);
    to->kind = from.kind;
    to->length = from.length;
    to->special = from.special;
    to->id = block_.text(from.id);
    to->name = block_.text(compact_ ? "" : from.name);
    const bool encloses = may_enclose(from.kind);
    if (encloses) open_.emplace_back(to->id, to);
    if (from.content) to->content = copy(*from.content);
    if (from.member_count != 0) {
      Member* const members = block_.members(from.member_count);
      to->members = members;
      to->member_count = from.member_count;
      for (std::uint32_t i = 0; i < from.member_count; ++i) {
        const Member& m = from.members[i];
        members[i] = {block_.text(compact_ ? "" : m.name), m.type ? copy(*m.type) : nullptr, m.label,
                      m.visibility};
      }
    }
    if (encloses) open_.pop_back();
    if (!lasting) done_.erase(&from);
    return to;
  }

 private:
  Block& block_;
  const bool compact_;
  std::map<const TypeCode*, TypeCode*> done_;
  std::vector<std::pair<const char*, TypeCode*>> open_;  // those around the one being copied
};

// Finds types without end: nothing of them could ever be sent.
class Ends {
 public:
  bool endless(const TypeCode* t) {
    if (t->kind != Kind::Alias && t->kind != Kind::Array && t->kind != Kind::Struct &&
        t->kind != Kind::Except)
      return false;
    const auto [at, fresh] = state_.emplace(t, true);
    if (!fresh) return at->second;
    bool found = t->content && endless(t->content);
    for (std::uint32_t i = 0; !found && i < t->member_count; ++i) found = endless(t->members[i].type);
    return state_[t] = found;
  }

 private:
  std::map<const TypeCode*, bool> state_;  // true while it is looked at
};

bool complete(const TypeCode& type, std::set<const TypeCode*>& seen) {
  if (type.kind == Kind::Recursive) return false;
  if (!seen.insert(&type).second) return true;
  if (type.content && !complete(*type.content, seen)) return false;
  for (std::uint32_t i = 0; i < type.member_count; ++i)
    if (type.members[i].type && !complete(*type.members[i].type, seen)) return false;
  return true;
}

}  // namespace

void retain(const TypeCode* type) {
  if (type && type->block) type->block->add_ref();
}

void release(const TypeCode* type) {
  if (type && type->block) type->block->remove_ref();
}

const TypeCode* resolve(const TypeCode* type) {
  while (type && type->kind == Kind::Alias) type = type->content;
  return type;
}

bool equal(const TypeCode& a, const TypeCode& b) { return Comparison(true).same(&a, &b); }
bool equivalent(const TypeCode& a, const TypeCode& b) { return Comparison(false).same(&a, &b); }

TypeCode* copy(const TypeCode& type, bool compact) {
  Block* const block = new (std::nothrow) Block;
  if (!block) return nullptr;
  try {
    return Copier(*block, compact).copy(type);
  } catch (const std::bad_alloc&) {
    block->remove_ref();
    return nullptr;
  }
}

bool is_endless(const TypeCode& type) { return Ends().endless(&type); }

bool is_complete(const TypeCode& type) {
  std::set<const TypeCode*> seen;
  return complete(type, seen);
}

}  // namespace corbel::types
