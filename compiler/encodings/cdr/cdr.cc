#include "compiler/encodings/cdr/cdr.h"

#include <algorithm>
#include <limits>

#include "compiler/encodings/cdr/chunks.h"

namespace corbel::idl::cdr {
namespace {

using mint::Kind;
using plan::Part;
using plan::Storage;

constexpr std::uint32_t aligned(std::uint32_t offset, std::uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

class Planner {
 public:
  Planner(const mint::Graph& graph, plan::Plan& plan)
      : graph_(graph), plan_(plan), done_(graph.nodes.size()) {
    plan_.parts.resize(graph.nodes.size());
  }
  const Part& part(mint::Id id) {
    if (done_[id]) return plan_.parts[id];
    done_[id] = true;  // what leads back here sees an unbounded part, which it is
    Part p = make(graph_[id]);
    return plan_.parts[id] = p;
  }

 private:
  static Part primitive(std::uint32_t size, bool any_bits) {
    Part p;
    p.storage = Storage::Fixed;
    p.align = p.first_align = p.least = p.host_size = p.host_align = size;
    for (std::uint32_t s = 0; s < 8; ++s) {
      p.size[s] = aligned(s, size) + size - s;
      p.end[s] = (s + p.size[s]) % 8;
    }
    p.packed = true;
    p.same_as_host = any_bits;
    p.encodes_as_host = true;
    return p;
  }

  Part make(const mint::Node& n) {
    Part p;
    switch (n.kind) {
      case Kind::Void:
        p.storage = Storage::Fixed;
        for (std::uint32_t s = 0; s < 8; ++s) p.end[s] = s;
        return p;
      case Kind::Boolean:
        return primitive(1, false);
      case Kind::Char:
      case Kind::Octet:
        return primitive(1, true);
      case Kind::Float:
        if (n.bits == 128) {  // the host has another format
          p.align = 8, p.least = 16;
          return p;
        }
        [[fallthrough]];
      case Kind::Integer:
        return primitive(n.bits / 8, true);
      case Kind::Enum:
        return primitive(4, false);
      case Kind::String:
        p.align = p.least = 4;
        p.storage = n.bound != 0 ? Storage::Bounded : Storage::Unbounded;
        for (std::uint32_t s = 0; s < 8; ++s) p.most[s] = aligned(s, 4) - s + 4 + std::uint64_t{n.bound} + 1;
        return p;
      case Kind::Sequence:
        p.align = std::max(4u, part(n.element).align);
        p.least = 4;
        p.storage = n.bound != 0 && part(n.element).storage != Storage::Unbounded ? Storage::Bounded
                                                                                  : Storage::Unbounded;
        for (std::uint32_t s = 0; s < 8; ++s)
          p.most[s] = aligned(s, 4) - s + 4 + std::uint64_t{n.bound} * largest(part(n.element));
        return p;
      case Kind::Reference:
        p.align = 4, p.least = 8;
        return p;
      case Kind::Bits:
        p.align = p.least = n.bits / 8;
        p.storage = Storage::Bounded;
        for (std::uint32_t s = 0; s < 8; ++s) p.most[s] = aligned(s, p.align) - s + p.align;
        return p;
      case Kind::WChar:  // depends on the version of GIOP and the code set
        p.align = 2, p.least = 2;
        return p;
      case Kind::WString:
      case Kind::Map:
      case Kind::Abstract:
      case Kind::Value:
      case Kind::TypeCode:
      case Kind::Any:
        p.align = n.kind == Kind::Any || n.kind == Kind::Map ? 8 : 4;
        p.least = n.kind == Kind::Abstract ? 1 : 4;
        return p;
      case Kind::Fixed:  // two digits an octet, the last half is the sign
        p.least = n.bits / 2 + 1;
        return p;
      case Kind::Union: {
        p.align = part(n.element).align;
        p.least = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(part(n.element).least + least_case(n), UINT32_MAX));
        p.storage = Storage::Bounded;
        for (const mint::Case& c : n.cases) {
          p.align = std::max(p.align, part(c.type).align);
          if (part(c.type).storage == Storage::Unbounded) p.storage = Storage::Unbounded;
        }
        for (std::uint32_t s = 0; s < 8; ++s) {
          const Part& d = part(n.element);
          for (const mint::Case& c : n.cases)
            p.most[s] = std::max(p.most[s], d.size[s] + most(part(c.type), d.end[s]));
        }
        return p;
      }
      case Kind::Array:
        return sequence_of(std::vector<mint::Id>(1, n.element), n.bound);
      case Kind::Struct:
        p = sequence_of(n.members, 1);
        // Where a base ends and what is in its padding is the target's affair.
        if (n.derived) p.packed = p.same_as_host = p.encodes_as_host = false;
        return p;
    }
    return p;
  }

  // Of the member that its discriminator selects, if it cannot but select one.
  std::uint64_t least_case(const mint::Node& n) {
    const mint::Node& d = graph_[n.element];
    std::uint64_t least = UINT32_MAX, labels = 0;
    bool has_default = false;
    for (const mint::Case& c : n.cases) {
      least = std::min<std::uint64_t>(least, part(c.type).least);
      labels += c.labels.size();
      has_default |= c.labels.empty();
    }
    const bool all = (d.kind == Kind::Boolean && labels == 2) ||
                     (d.kind == Kind::Enum && labels == d.bound) ||
                     ((d.kind == Kind::Octet || d.kind == Kind::Char) && labels == 256);
    return has_default || all ? least : 0;
  }
  static std::uint64_t most(const Part& p, std::uint32_t state) {
    return p.storage == Storage::Fixed ? p.size[state] : p.most[state];
  }
  // From whichever state.
  static std::uint64_t largest(const Part& p) {
    std::uint64_t all = 0;
    for (std::uint32_t s = 0; s < 8; ++s) all = std::max(all, most(p, s));
    return all;
  }

  // The members one behind the other, `times` over.
  Part sequence_of(const std::vector<mint::Id>& members, std::uint32_t times) {
    Part p;
    p.storage = Storage::Fixed;
    std::uint64_t least = 0;
    bool same = true, encodes = true;
    std::uint64_t wire = 0, host = 0, values = 0;
    bool packed = true;
    for (const mint::Id m : members) {
      const Part& q = part(m);
      p.storage = std::max(p.storage, q.storage);
      p.align = std::max(p.align, q.align);
      p.host_align = std::max(p.host_align, q.host_align);
      least += q.least;
      same = same && q.same_as_host;
      encodes = encodes && q.encodes_as_host;
      if (q.storage != Storage::Fixed) continue;
      host = aligned(static_cast<std::uint32_t>(host), q.host_align);
      wire = aligned(static_cast<std::uint32_t>(wire), q.first_align);
      encodes = encodes && host == wire;
      host += q.host_size;
      values += q.host_size;
      packed = packed && q.packed;
      wire += q.size[0];
    }
    p.first_align = members.empty() ? 1 : part(members[0]).first_align;
    p.least = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(least * times, std::numeric_limits<std::uint32_t>::max()));
    if (p.storage == Storage::Bounded)
      for (std::uint32_t s = 0; s < 8; ++s)
        for (std::size_t i = 0; i < members.size(); ++i)
          p.most[s] += times * (i == 0 && times == 1 ? most(part(members[i]), s) : largest(part(members[i])));
    if (p.storage != Storage::Fixed) return p;
    host = aligned(static_cast<std::uint32_t>(host), p.host_align);
    p.host_size = static_cast<std::uint32_t>(host * times);
    p.packed = packed && values == host;
    // A stride of several: what follows must start as the first one did.
    p.encodes_as_host = encodes && host % p.align == 0 && wire == host;
    p.same_as_host = p.encodes_as_host && same;
    for (std::uint32_t s = 0; s < 8; ++s) {
      std::uint64_t size = 0;
      std::uint32_t state = s;
      // From the second on elements start in a state that repeats within eight: the rest is counted, not
      // walked.
      for (std::uint32_t i = 0; i < times; ++i) {
        if (i == 8) {
          std::uint64_t period = 0;
          std::uint32_t t = state;
          for (int k = 0; k < 8; ++k)
            for (const mint::Id m : members) period += part(m).size[t], t = part(m).end[t];
          size += period * ((times - i) / 8);
          i += (times - i) / 8 * 8;
          if (i == times) break;
        }
        for (const mint::Id m : members) {
          size += part(m).size[state];
          state = part(m).end[state];
        }
      }
      p.size[s] = static_cast<std::uint32_t>(size);
      p.end[s] = state;
    }
    return p;
  }

  const mint::Graph& graph_;
  plan::Plan& plan_;
  std::vector<bool> done_;
};

}  // namespace

plan::Plan make_plan(const mint::Graph& graph, const plan::Options& options) {
  plan::Plan plan;
  plan.options = options;
  Planner planner(graph, plan);
  for (mint::Id id = 0; id < graph.nodes.size(); ++id) planner.part(id);
  if (!options.copy_runs)
    for (Part& p : plan.parts) p.same_as_host = p.encodes_as_host = false;
  add_chunks(graph, plan);
  return plan;
}

}  // namespace corbel::idl::cdr
