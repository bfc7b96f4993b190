#include <corbel/types/type_code.h>

#include <cstring>
#include <map>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orb/types/block.h"

namespace corbel::types {
namespace {

// Two graphs side by side: pairs that have been met are taken for equal, a difference shows elsewhere.
// Without recursion, as circles of different sizes meet in many pairs.
class Comparison {
 public:
  enum class By { All, Ids, Layout };
  explicit Comparison(By by) : by_(by) {}

  bool same(const TypeCode* a, const TypeCode* b) {
    if (!alike(a, b)) return false;
    while (!open_.empty()) {
      const auto [x, y] = open_.back();
      open_.pop_back();
      if ((x->content || y->content) && !parts_alike(x->content, y->content)) return false;
      for (std::uint32_t i = 0; i < x->member_count; ++i) {
        const TypeCode *const m = x->members[i].type, *const n = y->members[i].type;
        if ((m || n) && !parts_alike(m, n)) return false;
      }
    }
    return true;
  }

 private:
  // A peer may refer to one large type, or one of a long name, from everywhere: each pair is looked at once.
  bool parts_alike(const TypeCode* a, const TypeCode* b) {
    if (by_ != By::All) a = resolve(a), b = resolve(b);
    const bool large = a && b && (a->content || a->member_count != 0 || *a->id || *a->name);
    if (large && !met_.emplace(a, b).second) return true;
    return met_.size() <= kMostPairs && alike(a, b);
  }
  // Without what they refer to, which is compared later.
  bool alike(const TypeCode* a, const TypeCode* b) {
    const bool exact = by_ == By::All;
    if (!exact) a = resolve(a), b = resolve(b);
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind) return false;
    if (exact && (std::strcmp(a->id, b->id) != 0 || std::strcmp(a->name, b->name) != 0)) return false;
    if (by_ == By::Ids && *a->id && *b->id) return std::strcmp(a->id, b->id) == 0;
    if (a->length != b->length || a->special != b->special || a->member_count != b->member_count)
      return false;
    for (std::uint32_t i = 0; i < a->member_count; ++i) {
      const Member &m = a->members[i], &n = b->members[i];
      if (exact && std::strcmp(m.name, n.name) != 0) return false;
      const bool is_default = a->kind == Kind::Union && static_cast<std::int32_t>(i) == a->special;
      if ((!is_default && !same_label(*a, m, n)) || m.visibility != n.visibility) return false;
    }
    if (a->content || b->content || a->member_count != 0) open_.emplace_back(a, b);
    return true;
  }

  // Labels of an int8, which to TypeCodes is an octet, have their sign until they have been on the wire.
  static bool same_label(const TypeCode& t, const Member& m, const Member& n) {
    const bool octets = t.kind == Kind::Union && t.content && resolve(t.content)->kind == Kind::Octet;
    return octets ? static_cast<std::uint8_t>(m.label) == static_cast<std::uint8_t>(n.label)
                  : m.label == n.label;
  }

  // Two that are the same have as many as the larger one has types. Peers could make all meet all.
  static constexpr std::size_t kMostPairs = 250'000;

  const By by_;
  std::set<std::pair<const TypeCode*, const TypeCode*>> met_;
  std::vector<std::pair<const TypeCode*, const TypeCode*>> open_;
};

// Types that may contain themselves.
bool may_enclose(Kind kind) {
  return kind == Kind::Struct || kind == Kind::Union || kind == Kind::Value || kind == Kind::Event ||
         kind == Kind::ValueBox || kind == Kind::Except;
}

// What contains a placeholder means another type wherever another type of the placeholder's id is around it.
class Placeholders {
 public:
  explicit Placeholders(const TypeCode& root) {
    std::map<const TypeCode*, std::vector<const TypeCode*>> users;
    std::vector<const TypeCode*> todo{&root};
    std::vector<const TypeCode*> found;
    users[&root];
    const auto use = [&](const TypeCode* user, const TypeCode* used) {
      if (!used) return;
      const auto [at, fresh] = users.try_emplace(used);
      at->second.push_back(user);
      if (fresh) todo.push_back(used);
    };
    while (!todo.empty()) {
      const TypeCode* const t = todo.back();
      todo.pop_back();
      if (t->kind == Kind::Recursive) {
        found.push_back(t);
        ids_.insert(t->id);
      }
      use(t, t->content);
      for (std::uint32_t i = 0; i < t->member_count; ++i) use(t, t->members[i].type);
    }
    while (!found.empty()) {
      const TypeCode* const t = found.back();
      found.pop_back();
      if (!incomplete_.insert(t).second) continue;
      const auto& by = users[t];
      found.insert(found.end(), by.begin(), by.end());
    }
  }

  bool none() const { return ids_.empty(); }
  // Whether a placeholder can be reached from it.
  bool incomplete(const TypeCode& t) const { return incomplete_.count(&t) != 0; }
  const std::set<std::string>& ids() const { return ids_; }

 private:
  std::set<std::string> ids_;
  std::set<const TypeCode*> incomplete_;
};

class Copier {
 public:
  Copier(Block& block, const TypeCode& root, bool compact)
      : block_(block), compact_(compact), placeholders_(root) {}

  TypeCode* copy(const TypeCode& from) {
    if (is_constant(from.kind)) return &constant(from.kind);
    if (from.kind == Kind::Recursive) {
      if (const auto around = around_.find(from.id); around != around_.end()) return around->second;
      block_.incomplete = true;
    }
    if (const auto known = done_.find(key(from)); known != done_.end()) return known->second;
    if (++copies_ > kMostCopies || ++depth_ > kDeepestCopy) throw std::bad_alloc();
    TypeCode* const to = block_.type();
    done_.emplace(key(from), to);
    to->kind = from.kind;
    to->length = from.length;
    to->special = from.special;
    to->id = block_.text(from.id);
    to->name = block_.text(compact_ ? "" : from.name);
    TypeCode* outer = nullptr;
    const bool encloses = may_enclose(from.kind) && placeholders_.ids().count(from.id) != 0;
    if (encloses) {
      outer = std::exchange(around_[from.id], to);
      done_.emplace(key(from), to);  // as it is seen from inside
    }
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
    if (encloses) {
      if (outer) around_[from.id] = outer;
      else around_.erase(from.id);
    }
    --depth_;
    return to;
  }

 private:
  using Around = std::map<std::string, TypeCode*>;
  using Key = std::pair<const TypeCode*, Around>;

  static bool is_constant(Kind kind) {
    return kind <= Kind::Principal || (kind >= Kind::LongLong && kind <= Kind::WChar);
  }
  Key key(const TypeCode& from) const { return {&from, placeholders_.incomplete(from) ? around_ : Around()}; }

  static constexpr int kMostCopies = 1'000'000, kDeepestCopy = 1'000;  // stop before memory and stack do

  Block& block_;
  const bool compact_;
  const Placeholders placeholders_;
  std::map<Key, TypeCode*> done_;
  Around around_;  // the innermost type of each placeholder's id
  int copies_ = 0, depth_ = 0;
};

// Finds types without end: nothing of them could ever be sent. So are types that are too deep taken to be.
class Ends {
 public:
  bool endless(const TypeCode* t) {
    if (t->kind != Kind::Alias && t->kind != Kind::Array && t->kind != Kind::Struct &&
        t->kind != Kind::Except)
      return false;
    const auto [at, fresh] = state_.emplace(t, true);
    if (!fresh) return at->second;
    if (++depth_ > kDeepest) return true;  // so are all around it
    bool found = t->content && endless(t->content);
    for (std::uint32_t i = 0; !found && i < t->member_count; ++i) found = endless(t->members[i].type);
    --depth_;
    return state_[t] = found;
  }

 private:
  static constexpr int kDeepest = 1'000;   // stops before the stack does
  std::map<const TypeCode*, bool> state_;  // true while it is looked at
  int depth_ = 0;
};

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

bool equal(const TypeCode& a, const TypeCode& b) { return Comparison(Comparison::By::All).same(&a, &b); }
bool equivalent(const TypeCode& a, const TypeCode& b) { return Comparison(Comparison::By::Ids).same(&a, &b); }
bool same_layout(const TypeCode& a, const TypeCode& b) {
  return Comparison(Comparison::By::Layout).same(&a, &b);
}

TypeCode* copy(const TypeCode& type, bool compact) {
  Block* const block = new (std::nothrow) Block;
  if (!block) return nullptr;
  try {
    TypeCode* const made = Copier(*block, type, compact).copy(type);
    if (!made->block) block->remove_ref();
    return made;
  } catch (const std::bad_alloc&) {
    block->remove_ref();
    return nullptr;
  }
}

bool is_endless(const TypeCode& type) { return Ends().endless(&type); }

bool is_complete(const TypeCode& type) {
  return !type.block || !type.block->incomplete || Placeholders(type).none();
}

}  // namespace corbel::types
