#include "compiler/frontends/omg/recursion.h"

#include <algorithm>
#include <unordered_map>

namespace corbel::idl::omg {
namespace {

// What a declaration is made of.
struct Parts {
  std::vector<const aoi::Decl*> decls;
  std::size_t levels = 1;  // of sequences, arrays and maps between it and them, and its own

  void add(const aoi::Type* t, std::size_t above = 1) {
    for (; t && (t->kind == aoi::Type::Kind::Sequence || t->kind == aoi::Type::Kind::Array ||
                 t->kind == aoi::Type::Kind::Map);
         t = t->element) {
      ++above;
      if (t->key) add(t->key, above);
    }
    levels = std::max(levels, above);
    if (t && t->kind == aoi::Type::Kind::Named) decls.push_back(t->decl);
  }
};

Parts parts(const aoi::Decl* decl) {
  Parts found;
  if (decl->kind == aoi::Decl::Kind::Struct) {
    const auto& s = *static_cast<const aoi::Struct*>(decl);
    if (s.base) found.decls.push_back(s.base);
    for (const auto& f : s.fields) found.add(f.type);
  }
  if (decl->kind == aoi::Decl::Kind::Union)
    for (const auto& c : static_cast<const aoi::Union*>(decl)->cases) found.add(c.field.type);
  if (decl->kind == aoi::Decl::Kind::Typedef) found.add(static_cast<const aoi::Typedef*>(decl)->type);
  return found;
}

// Tarjan's strongly connected components, with a stack of its own: chains of types can be as long as the
// input.
class Components {
 public:
  // Calls `found(first, last)` for each component.
  template <typename F>
  void visit(const aoi::Decl* start, F found) {
    if (nodes_.contains(start)) return;
    open(start);
    while (!calls_.empty()) {
      Call& call = calls_.back();
      if (call.next < call.parts.size()) {
        const aoi::Decl* const part = call.parts[call.next++];
        const auto known = nodes_.find(part);
        if (known == nodes_.end()) open(part);
        else if (known->second.on_stack) lower(call.decl, known->second.index);
        continue;
      }
      close(found);
    }
  }

 private:
  struct Node {
    std::size_t index, low;
    bool on_stack;
  };
  struct Call {
    const aoi::Decl* decl;
    std::vector<const aoi::Decl*> parts;
    std::size_t next = 0;
  };

  void open(const aoi::Decl* decl) {
    nodes_.emplace(decl, Node{nodes_.size(), nodes_.size(), true});
    stack_.push_back(decl);
    calls_.push_back({decl, parts(decl).decls});
  }
  void lower(const aoi::Decl* decl, std::size_t to) {
    std::size_t& low = nodes_.at(decl).low;
    low = std::min(low, to);
  }
  template <typename F>
  void close(F found) {
    const aoi::Decl* const decl = calls_.back().decl;
    calls_.pop_back();
    const Node node = nodes_.at(decl);
    if (!calls_.empty()) lower(calls_.back().decl, node.low);
    if (node.low != node.index) return;
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), decl).base() - 1;
    for (auto i = begin; i != stack_.end(); ++i) nodes_.at(*i).on_stack = false;
    found(begin, stack_.end());
    stack_.erase(begin, stack_.end());
  }

  std::unordered_map<const aoi::Decl*, Node> nodes_;
  std::vector<const aoi::Decl*> stack_;
  std::vector<Call> calls_;
};

}  // namespace

std::vector<const aoi::Decl*> mark_recursive(const std::vector<aoi::Decl*>& types, std::size_t tallest) {
  struct Known {
    bool recursive;
    std::size_t height;
  };
  std::unordered_map<const aoi::Decl*, Known> known;
  std::vector<const aoi::Decl*> too_tall;
  Components components;
  for (const aoi::Decl* d : types) {
    components.visit(d, [&](auto first, auto last) {
      // Whoever follows types may come through all that reach each other, one below the other.
      std::size_t own = 0, below = 0;
      bool cycle = last - first > 1;
      for (auto i = first; i != last; ++i) {
        const Parts made_of = parts(*i);
        own += made_of.levels;
        for (const aoi::Decl* part : made_of.decls) {
          cycle = cycle || part == *i;
          if (const auto k = known.find(part); k != known.end()) below = std::max(below, k->second.height);
        }
      }
      std::size_t height = own + below;
      if (height > tallest) {
        too_tall.push_back(*first);
        height = 0;
      }
      for (auto i = first; i != last; ++i) known[*i] = {cycle, height};
    });
  }
  for (aoi::Decl* d : types) {
    if (d->kind == aoi::Decl::Kind::Struct) static_cast<aoi::Struct*>(d)->recursive = known.at(d).recursive;
    else static_cast<aoi::Union*>(d)->recursive = known.at(d).recursive;
  }
  return too_tall;
}

}  // namespace corbel::idl::omg
