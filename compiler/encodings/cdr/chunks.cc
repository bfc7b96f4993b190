#include "compiler/encodings/cdr/chunks.h"

#include <algorithm>

namespace corbel::idl::cdr {
namespace {

using mint::Kind;
using plan::Leaf;
using plan::Part;
using plan::Step;
using plan::Storage;

// Encoders give so much room at least, whatever went wrong before; larger arrays are runs of their own.
constexpr std::uint32_t kLargestChunk = 1024;
constexpr std::size_t kMostLeaves = 64;

bool primitive(const mint::Node& n) {
  switch (n.kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
    case Kind::Integer:
    case Kind::Float:
    case Kind::Enum:
      return true;
    default:
      return false;
  }
}

class Chunker {
 public:
  Chunker(const mint::Graph& graph, const plan::Plan& plan) : graph_(graph), plan_(plan) {}

  // In the body of a message structs of several chunks are left to their own functions: in each operation
  // anew they would be most of its code.
  std::vector<Step> steps(const std::vector<mint::Id>& members, bool body = false) {
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      std::vector<Leaf> leaves;
      if (plan_.options.chunks && !(body && has_several(members[i])) && flatten(members[i], {i}, leaves)) {
        for (Leaf& l : leaves) place(std::move(l));
        continue;
      }
      if (graph_[members[i]].kind == Kind::Void) continue;
      Step alone;
      alone.member = i;
      steps_.push_back(alone);
      open_ = false;
      pass(members[i]);
    }
    return std::move(steps_);
  }

 private:
  bool has_several(mint::Id id) const {
    return graph_[id].kind == Kind::Struct && plan_[id].storage == Storage::Fixed &&
           Chunker(graph_, plan_).steps(graph_[id].members).size() > 1;
  }

  // Whether all of it may stand in chunks; gives its leaves.
  bool flatten(mint::Id id, std::vector<std::uint32_t> path, std::vector<Leaf>& leaves) const {
    const mint::Node& n = graph_[id];
    const Part& p = plan_[id];
    if (p.storage != Storage::Fixed || leaves.size() >= kMostLeaves) return false;
    const bool run = n.kind == Kind::Array && primitive(graph_[n.element]) && p.same_as_host &&
                     p.host_size <= kLargestChunk;
    if (primitive(n) || run) {
      leaves.push_back({std::move(path), id, 0, p.host_size});
      return true;
    }
    if (n.kind != Kind::Struct || !plan_.options.inlining) return false;
    for (std::uint32_t i = 0; i < n.members.size(); ++i) {
      path.push_back(i);
      if (!flatten(n.members[i], path, leaves)) return false;
      path.pop_back();
    }
    return true;
  }

  void place(Leaf leaf) {
    const std::uint32_t align = plan_[leaf.type].align;
    const bool known = align <= modulus_;
    const std::uint32_t padding = known ? (align - residue_ % align) % align : 0;
    if (!open_ || !known || steps_.back().size + padding + leaf.size > kLargestChunk) {
      Step chunk;
      chunk.align = align;
      steps_.push_back(std::move(chunk));
      open_ = true;
      if (!known) modulus_ = align, residue_ = 0;
      else residue_ = (residue_ + padding) % modulus_;
      leaf.offset = 0;
    } else {
      leaf.offset = steps_.back().size + padding;
      residue_ = (residue_ + padding) % modulus_;
    }
    residue_ = (residue_ + leaf.size) % modulus_;
    steps_.back().size = leaf.offset + leaf.size;
    steps_.back().leaves.push_back(std::move(leaf));
  }

  // What is known of the offset behind a member that stands for itself.
  void pass(mint::Id id) {
    const mint::Node& n = graph_[id];
    const Part& p = plan_[id];
    if (p.storage == Storage::Fixed) {
      const std::uint32_t start = residue_;
      for (std::uint32_t m = 8; m >= 1; m /= 2) {
        const std::uint32_t end = p.end[start] % m;
        bool same = true;
        for (std::uint32_t s = start; s < 8; s += modulus_) same = same && p.end[s] % m == end;
        if (!same) continue;
        modulus_ = m, residue_ = end;
        return;
      }
    }
    const bool words = n.kind == Kind::Sequence && plan_[n.element].storage == Storage::Fixed &&
                       plan_[n.element].end[0] % 4 == 0 && plan_[n.element].end[4] % 4 == 0;
    modulus_ = words ? 4 : 1;
    residue_ = 0;
  }

  const mint::Graph& graph_;
  const plan::Plan& plan_;
  std::vector<Step> steps_;
  bool open_ = false;
  // The next octet's offset is `residue_` modulo `modulus_`.
  std::uint32_t modulus_ = 1, residue_ = 0;
};

}  // namespace

void add_chunks(const mint::Graph& graph, plan::Plan& plan) {
  for (mint::Id id = 0; id < graph.nodes.size(); ++id)
    if (graph[id].kind == Kind::Struct)
      plan.parts[id].steps = Chunker(graph, plan).steps(graph[id].members, graph[id].name.empty());
}

}  // namespace corbel::idl::cdr
