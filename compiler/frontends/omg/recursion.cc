#include "compiler/frontends/omg/recursion.h"

#include <algorithm>
#include <unordered_map>

namespace corbel::idl::omg {
namespace {

// The declarations that `decl` is made of.
std::vector<const aoi::Decl*> parts(const aoi::Decl* decl) {
  std::vector<const aoi::Decl*> found;
  const auto add = [&found](const aoi::Type* t) {
    while (t && (t->kind == aoi::Type::Kind::Sequence || t->kind == aoi::Type::Kind::Array)) t = t->element;
    if (t && t->kind == aoi::Type::Kind::Named) found.push_back(t->decl);
  };
  if (decl->kind == aoi::Decl::Kind::Struct) {
    const auto& s = *static_cast<const aoi::Struct*>(decl);
    if (s.base) found.push_back(s.base);
    for (const auto& f : s.fields) add(f.type);
  }
  if (decl->kind == aoi::Decl::Kind::Union)
    for (const auto& c : static_cast<const aoi::Union*>(decl)->cases) add(c.field.type);
  if (decl->kind == aoi::Decl::Kind::Typedef) add(static_cast<const aoi::Typedef*>(decl)->type);
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
    calls_.push_back({decl, parts(decl)});
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

void mark_recursive(const std::vector<aoi::Decl*>& types) {
  std::unordered_map<const aoi::Decl*, bool> recursive;
  Components components;
  for (const aoi::Decl* d : types) {
    components.visit(d, [&recursive](auto first, auto last) {
      const std::vector<const aoi::Decl*> own = parts(*first);
      const bool cycle = last - first > 1 || std::find(own.begin(), own.end(), *first) != own.end();
      for (auto i = first; i != last; ++i) recursive[*i] = cycle;
    });
  }
  for (aoi::Decl* d : types) {
    if (d->kind == aoi::Decl::Kind::Struct) static_cast<aoi::Struct*>(d)->recursive = recursive[d];
    else static_cast<aoi::Union*>(d)->recursive = recursive[d];
  }
}

}  // namespace corbel::idl::omg
