#include "orb/dynamic_any/tree.h"

#include <corbel/cpp/exception.h>
#include <corbel/cpp/value_scope.h>
#include <corbel/cpp/wide.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "orb/cpp/value_streams.h"
#include "orb/dynamic_any/dyn_any.h"
#include "orb/dynamic_any/written.h"
#include "orb/types/label.h"
#include "orb/types/walk.h"

namespace corbel::dynamic_any {
namespace {

// Components of components: stops programs, and peers, that would exhaust the stack.
constexpr std::uint32_t kDeepest = 5000;
constexpr std::size_t kMostOctets = 256 << 20;     // of a sequence that is made longer
constexpr std::size_t kLongestChain = 256;         // of valuetypes that derive from each other
constexpr std::uint32_t kMostForNothing = 10'000;  // nodes of values without octets
constexpr std::size_t kMostPairs = 1'000'000;      // of values that are compared

bool is_union(const types::TypeCode& t) { return t.kind == Kind::Union; }
bool is_value(Kind kind) { return kind == Kind::Value || kind == Kind::Event || kind == Kind::ValueBox; }

// Several labels of one member are members of their own. Those of a peer may share a name alone.
bool same_member(const types::TypeCode& type, std::int32_t a, std::int32_t b) {
  return a == b || (a >= 0 && b >= 0 && *type.members[a].name != '\0' &&
                    std::strcmp(type.members[a].name, type.members[b].name) == 0 &&
                    types::equal(*type.members[a].type, *type.members[b].type));
}

}  // namespace

// ---- Tree

Tree::~Tree() {
  roots_.clear();
  // Circles: whoever is in one lets go of the others first.
  for (State* s = states_; s; s = s->next_) s->parts.nodes.clear();
  while (states_) delete states_;
}

void Tree::end_states() {
  delete_ended();
  if (states_count_ < look_for_circles_at_) return;
  end_circles();
  delete_ended();
  look_for_circles_at_ = 64 + 2 * states_count_;
}

void Tree::delete_ended() {
  while (State* const s = ended_) {
    ended_ = s->next_ended_;
    delete s;
  }
}

// Those that only refer to each other, and that nobody has a DynAny of a part of.
void Tree::end_circles() try {
  std::vector<const Node*> nodes;
  std::vector<State*> staying;
  const auto stay = [&](State& s) {
    if (!std::exchange(s.stays_, true)) staying.push_back(&s);
  };
  const auto push = [&](const Parts& parts) {
    for (const auto& node : parts.nodes)
      if (node) nodes.push_back(node.get());
  };
  // Takes all that `nodes` lead to; whether somebody has a DynAny of one.
  const auto go_through = [&](const auto& met) {
    bool in_use = false;
    while (!nodes.empty()) {
      const Node& n = *nodes.back();
      nodes.pop_back();
      in_use |= n.facade != nullptr;
      if (State* const s = n.state()) met(*s);
      else if (const auto* const parts = std::get_if<std::unique_ptr<Parts>>(&n.content_)) push(**parts);
    }
    return in_use;
  };
  for (State* s = states_; s; s = s->next_) s->met_ = 0, s->stays_ = false;
  for (const Root& root : roots_) nodes.push_back(root.node.get());
  go_through([&](State& s) { ++s.met_, stay(s); });
  for (State* s = states_; s; s = s->next_) {
    push(s->parts);
    if (go_through([](State& other) { ++other.met_; })) stay(*s);
  }
  for (State* s = states_; s; s = s->next_)
    if (s->count_ > s->met_) stay(*s);  // something that is being made
  while (!staying.empty()) {
    push(staying.back()->parts);
    staying.pop_back();
    go_through(stay);
  }
  for (State* s = states_; s; s = s->next_)
    if (!s->stays_) s->parts.nodes.clear();
} catch (const std::bad_alloc&) {  // later
}

Node& Tree::add_root(const CORBA::TypeCode& type) {
  auto& counted = const_cast<CORBA::TypeCode&>(type);
  Root root{CORBA::TypeCode_var(CORBA::TypeCode::_duplicate(&counted)), nullptr};
  root.node = std::make_unique<Node>(*this, type, 0);
  roots_.push_back(std::move(root));
  return *roots_.back().node;
}

bool Tree::is_root(const Node& node) const {
  return std::any_of(roots_.begin(), roots_.end(), [&](const Root& r) { return r.node.get() == &node; });
}

void Tree::destroy(const Node& root) {
  const auto i =
      std::find_if(roots_.begin(), roots_.end(), [&](const Root& r) { return r.node.get() == &root; });
  if (i == roots_.end()) return;
  types_.push_back(i->type);
  Root gone = std::move(*i);
  roots_.erase(i);
  gone.node.reset();
}

std::int32_t Tree::branch(const types::TypeCode& type, std::int64_t label) {
  auto [known, fresh] = labels_.try_emplace(&type);
  const Kind kind = types::resolve(type.content)->kind;
  if (fresh)
    for (std::uint32_t i = 0; i < type.member_count; ++i)
      if (static_cast<std::int32_t>(i) != type.special)
        known->second.emplace(types::normalized(type.members[i].label, kind), static_cast<std::int32_t>(i));
  const auto found = known->second.find(types::normalized(label, kind));
  return found != known->second.end() ? found->second : type.special;
}

// ---- State

State::State(Tree& tree, const CORBA::TypeCode& type) : tree_(tree), type_(type), next_(tree.states_) {
  const types::TypeCode& t = type;
  if (t.kind == Kind::ValueBox) {
    members_.push_back({"", t.content, 0, 0});
  } else {
    std::vector<const types::TypeCode*> chain;
    for (const types::TypeCode* c = &t; c; c = types::resolve(c->content)) {
      if ((c->kind != Kind::Value && c->kind != Kind::Event) || chain.size() > kLongestChain)
        throw CORBA::BAD_TYPECODE();
      chain.push_back(c);
    }
    for (auto c = chain.rbegin(); c != chain.rend(); ++c)
      members_.insert(members_.end(), (*c)->members, (*c)->members + (*c)->member_count);
  }
  parts.nodes.resize(members_.size());
  if (next_) next_->previous_ = this;
  tree.states_ = this;
  ++tree.states_count_;
}

State::~State() {
  (previous_ ? previous_->next_ : tree_.states_) = next_;
  if (next_) next_->previous_ = previous_;
  --tree_.states_count_;
}

// ---- Parts

Octets Parts::part(std::uint32_t i) const {
  if (stride != 0) return source.part(first + i * stride, first + (i + 1) * stride);
  return source.part(begins[i], begins[i + 1]);
}

// ---- Node: what it consists of

Node::Node(Tree& tree, const CORBA::TypeCode& type, std::uint32_t depth)
    : tree_(tree), type_(type), depth_(depth) {
  if (depth > kDeepest) cpp::raise({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a DynAny nests too deep"});
}

Node::~Node() {
  if (facade) facade->forget();
  let_go();
}

void Node::let_go() {
  if (State* const* const s = std::get_if<State*>(&content_)) (*s)->remove_ref();
  content_ = Octets();
}

State* Node::state() const {
  State* const* const s = std::get_if<State*>(&content_);
  return s ? *s : nullptr;
}

bool Node::is_null() const { return octets() != nullptr; }

void Node::set_state(State* state) {
  let_go();
  position_ = kFirst;
  if (state) content_ = state;
}

bool Node::composite() const {
  const types::TypeCode& t = resolved();
  switch (t.kind) {
    case Kind::Struct:
    case Kind::Except:
      return t.member_count != 0;
    case Kind::Union:
    case Kind::Sequence:
    case Kind::Array:
      return true;
    default:
      return is_value(t.kind);
  }
}

std::uint32_t Node::count() {
  const types::TypeCode& t = resolved();
  switch (t.kind) {
    case Kind::Struct:
    case Kind::Except:
      return t.member_count;
    case Kind::Array:
      return t.length;
    case Kind::Sequence:
      if (const Octets* const o = octets()) {
        std::uint32_t n = 0;
        o->decoder(nullptr).get(n);
        return n;
      }
      [[fallthrough]];
    case Kind::Union:
      return static_cast<std::uint32_t>(parts().nodes.size());
    default:
      break;
  }
  State* const s = state();
  return s ? static_cast<std::uint32_t>(s->parts.nodes.size()) : 0;
}

std::int32_t Node::position() {
  if (position_ == kFirst) set_position(0);
  else if (position_ >= 0 && static_cast<std::uint32_t>(position_) >= count()) position_ = -1;
  return position_;
}

const CORBA::TypeCode& Node::part_type(std::uint32_t i) {
  const types::TypeCode& t = resolved();
  const types::TypeCode* part = t.content;
  if (t.kind == Kind::Struct || t.kind == Kind::Except) part = t.members[i].type;
  else if (State* const s = state()) part = s->members()[i].type;
  else if (is_union(t) && i == 1) part = t.members[active_member()].type;
  return static_cast<const CORBA::TypeCode&>(*part);
}

Node* Node::make(const CORBA::TypeCode& type) { return new Node(tree_, type, depth_ + 1); }

Node& Node::part(std::uint32_t i) {
  Parts& p = parts();
  if (!p.nodes[i]) {
    std::unique_ptr<Node> fresh(make(part_type(i)));
    if (i < p.known) fresh->content_ = p.part(i);
    else if (p.has_blank) fresh->content_ = p.blank;
    else if (!fresh->set_to_default()) throw CORBA::BAD_TYPECODE();
    p.nodes[i] = std::move(fresh);
  }
  if (i == 0 && is_union(resolved())) p.nodes[0]->union_ = this;
  return *p.nodes[i];
}

void Node::part_to_any(std::uint32_t i, CORBA::Any& any) {
  const Parts& p = parts();
  if (p.nodes[i] || i >= p.known) return to_any(part(i), any);
  Node alone(tree_, part_type(i), depth_ + 1);
  alone.content_ = p.part(i);
  to_any(alone, any);
}

Parts& Node::parts() {
  if (State* const s = state()) return s->parts;
  if (const Octets* const o = octets()) {
    auto fresh = std::make_unique<Parts>();
    split(*o, *fresh);
    content_ = std::move(fresh);
  }
  return *std::get<std::unique_ptr<Parts>>(content_);
}

// The octets have been checked.
void Node::split(const Octets& octets, Parts& p) {
  const types::TypeCode& t = resolved();
  cdr::Decoder in = octets.decoder(nullptr);
  const cpp::ReadValues scope(in);
  p.source = octets;
  const auto locate = [&](const types::TypeCode& type) {
    p.begins.push_back(static_cast<std::uint32_t>(in.offset()));
    return types::skip(in, type);
  };
  bool good = true;
  std::uint32_t n = 0;
  switch (t.kind) {
    case Kind::Except: {
      types::ExceptionIds id;
      good = id.step_over(in, t);
      [[fallthrough]];
    }
    case Kind::Struct:
      n = t.member_count;
      for (std::uint32_t i = 0; good && i < n; ++i) good = locate(*t.members[i].type);
      break;
    case Kind::Union: {
      good = locate(*t.content);
      Node discriminator(tree_, static_cast<const CORBA::TypeCode&>(*t.content), depth_ + 1);
      discriminator.content_ = octets.part(p.begins[0], static_cast<std::uint32_t>(in.offset()));
      p.label = discriminator.number();
      p.member = tree_.branch(t, p.label);
      if (good && p.member >= 0) good = locate(*t.members[p.member].type);
      n = p.member >= 0 ? 2 : 1;
      break;
    }
    case Kind::Sequence:
    case Kind::Array: {
      if (t.kind == Kind::Array) n = t.length;
      else good = in.get(n);
      const std::uint32_t width = width_of(*t.content);
      if (width != 0) {
        const std::uint32_t align = std::min(width, 8u) - 1;
        const auto at = static_cast<std::uint32_t>(in.offset());
        p.first = (at + align) & ~align;
        p.stride = width;
        good = n == 0 || in.remaining() >= p.first - at + std::size_t{width} * n;
        break;
      }
      p.begins.reserve(std::size_t{n} + 1);
      for (std::uint32_t i = 0; good && i < n; ++i) good = locate(*t.content);
      break;
    }
    default:
      good = false;
  }
  if (!good) throw CORBA::INTERNAL();
  if (p.stride == 0) p.begins.push_back(static_cast<std::uint32_t>(in.offset()));
  p.known = n;
  p.nodes.resize(n);
}

// Numbers that nobody has asked for stay octets.
void Node::resize_run(std::uint32_t n) {
  const types::TypeCode& t = resolved();
  const std::uint32_t width = width_of(*t.content), align = std::min(width, 8u);
  cdr::Decoder in = octets()->decoder(nullptr);
  std::uint32_t old = 0;
  in.get(old);
  const std::size_t size = std::size_t{width} * n, kept = std::size_t{width} * std::min(n, old);
  if (size > kMostOctets)
    cpp::raise({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a DynAny cannot be so long"});
  const types::TypeCode& element = *types::resolve(t.content);
  if (n > old && element.kind == Kind::Enum && element.member_count == 0) throw CORBA::BAD_TYPECODE();
  std::string elements(size, '\0');
  const char* const from = align == 8   ? in.chunk<8>(kept)
                           : align == 4 ? in.chunk<4>(kept)
                           : align == 2 ? in.chunk<2>(kept)
                                        : in.chunk<1>(kept);
  if (kept != 0) std::memcpy(elements.data(), from, kept);
  cdr::Encoder out;
  out.reset();
  out.put(n);
  if (align == 8) out.copied_run<8>(elements.data(), size);
  else out.copied_run<1>(elements.data(), size);  // aligned behind the length
  if (out.error()) cpp::raise(out.error());
  content_ = Octets(out, 0);
}

void Node::resize(std::uint32_t n) {
  if (octets() && is_run()) return resize_run(n);
  Parts& p = parts();
  if (n > p.nodes.size() && !p.has_blank) {
    const types::TypeCode& t = resolved();
    const auto& element = static_cast<const CORBA::TypeCode&>(*t.content);
    Node blank(tree_, element, depth_ + 1);
    if (!blank.set_to_default()) throw CORBA::BAD_TYPECODE();
    p.blank = *blank.octets();
    p.has_blank = true;
  }
  if (n > kMostOctets / sizeof(Node*))
    cpp::raise({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a DynAny cannot be so long"});
  p.nodes.resize(n);
  p.known = std::min(p.known, n);
}

// ---- unions

std::int32_t Node::active_member() { return parts().member; }
std::int64_t Node::label() { return parts().label; }

void Node::activate(std::int64_t label) {
  const types::TypeCode& t = resolved();
  Parts& p = parts();
  const std::int32_t member = tree_.branch(t, label);
  p.label = label;
  const bool same = same_member(t, p.member, member);
  p.member = member;
  if (same) return;
  p.nodes.resize(1);
  p.known = std::min(p.known, 1u);
  if (member >= 0) p.nodes.resize(2);
}

void Node::set_label(std::int64_t label) {
  cdr::Encoder out;
  out.reset();
  put_label(out, part_type(0), label);
  if (out.error()) cpp::raise(out.error());
  part(0).set(Octets(out, 0));
}

bool Node::free_label(std::int64_t& label) {
  const types::TypeCode& t = resolved();
  const std::uint64_t all = labels_of(*t.content);
  // One of so many is free.
  for (std::uint64_t i = 0; i < all && i <= t.member_count; ++i) {
    const std::int32_t member = tree_.branch(t, static_cast<std::int64_t>(i));
    if (member != t.special) continue;
    label = static_cast<std::int64_t>(i);
    return true;
  }
  return false;
}

std::int64_t Node::number() {
  cdr::Decoder in = octets()->decoder(nullptr);
  const Kind k = kind();
  if (k == Kind::WChar) {
    CORBA::WChar c = 0;
    cpp::get_wchar(in, c);
    return static_cast<std::int64_t>(c);
  }
  switch (width_of(resolved())) {
    case 1: {
      std::uint8_t v = 0;
      in.get(v);
      return v;
    }
    case 2: {
      std::uint16_t v = 0;
      in.get(v);
      return v;
    }
    case 8: {
      std::uint64_t v = 0;
      in.get(v);
      return static_cast<std::int64_t>(v);
    }
    default: {
      std::uint32_t v = 0;
      in.get(v);
      return v;
    }
  }
}

// ---- values that are set

void Node::set(Octets octets) {
  let_go();
  content_ = std::move(octets);
  position_ = kFirst;
  if (union_) union_->activate(number());
}

bool Node::replace(const Octets& octets, Reading* reading) {
  cdr::Decoder in = octets.decoder(&tree_.orb());
  {
    const cpp::ReadValues scope(in);
    types::MetValues met;
    if (!types::skip(in, type_, met) || in.remaining() != 0) return false;
    if (met.tags.empty() && !met.opaque) return set(octets), true;
  }
  in = octets.decoder(&tree_.orb());
  const cpp::ReadValues scope(in);
  Reading alone;
  Node fresh(tree_, type_, depth_);
  if (!fresh.read(in, (reading ? *reading : alone).expect(in)) || in.remaining() != 0) return false;
  let_go();
  std::swap(content_, fresh.content_);
  position_ = kFirst;
  return true;
}

bool Node::set_to_default() {
  cdr::Encoder out;
  out.reset();
  if (!put_default(out, type_)) return false;
  if (out.error().id == SystemErrorId::DATA_CONVERSION) return false;  // a label that is no character
  if (out.error()) cpp::raise(out.error());
  set(Octets(out, 0));
  return true;
}

// ---- in messages

// Values that refer to each other may nest deeper when one of them is written than when they were read.
void Node::write(cdr::Encoder& out) {
  const struct Deeper {
    std::uint32_t& depth;
    ~Deeper() { --depth; }
  } deeper{++tree_.writing};
  if (deeper.depth > kDeepest + 1)
    return out.fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "a DynAny nests too deep"});
  if (State* const s = state()) {
    cdr::ValueOutput& to = cdr::values_of(out);
    if (const std::size_t* const written = to.find(s)) return to.refer(*written);
    const types::TypeCode& t = s->type();
    std::vector<const char*> ids;
    for (const types::TypeCode* c = &t; c; c = types::resolve(c->content)) {
      ids.push_back(c->id);
      if (c->kind == Kind::ValueBox || c->special != CORBA::VM_TRUNCATABLE || !c->content) break;
    }
    const types::TypeCode& declared = resolved();
    const bool derived = std::strcmp(t.id, declared.id) != 0;
    if (!to.begin(ids, derived || ids.size() > 1)) return;
    to.remember(s, to.tag());
    for (std::uint32_t i = 0; i < s->parts.nodes.size() && !out.error(); ++i) part(i).write(out);
    return to.end();
  }
  if (auto* const any = std::get_if<std::unique_ptr<CORBA::Any>>(&content_))
    return kind() == Kind::Any ? (*any)->_corbel_marshal(out) : (*any)->_corbel_marshal_value(out);
  if (auto* const p = std::get_if<std::unique_ptr<Parts>>(&content_)) return write_parts(out, **p);
  if (is_value(kind())) return cdr::values_of(out).null();
  octets()->write(out, type_);
}

void Node::write_parts(cdr::Encoder& out, const Parts& p) {
  const types::TypeCode& t = resolved();
  const auto n = static_cast<std::uint32_t>(p.nodes.size());
  if (t.kind == Kind::Except) out.put_string(t.id);
  if (t.kind == Kind::Sequence) out.put(n);
  for (std::uint32_t i = 0; i < n && !out.error(); ++i) {
    // Those that nobody has asked for follow each other as they did.
    if (p.nodes[i]) p.nodes[i]->write(out);
    else if (i < p.known) p.part(i).write(out, part_type(i));
    else if (p.has_blank) p.blank.write(out, part_type(i));
    else part(i).write(out);
  }
}

namespace {

// What it stands for may be a value, or hold one that its TypeCode does not tell of.
bool is_or_hides_value(Kind kind) {
  return is_value(kind) || kind == Kind::AbstractInterface || kind == Kind::Any;
}

}  // namespace

// Peers may refer to one large type from everywhere: each is looked at once. As types contain themselves, the
// answers go from the values outwards.
bool Reading::may_hold_values(const types::TypeCode& type) {
  if (const auto known = holds_values.find(&type); known != holds_values.end()) return known->second;
  std::unordered_map<const types::TypeCode*, std::vector<const types::TypeCode*>> users;
  std::vector<const types::TypeCode*> todo, holders;
  const auto meet = [&](const types::TypeCode* used, const types::TypeCode* user) {
    if (!used) return;
    const bool holds = is_or_hides_value(used->kind);
    if (!holds && !used->content && used->member_count == 0) return;
    const auto [known, fresh] = holds_values.try_emplace(used, holds);
    if (fresh && !holds) todo.push_back(used);
    if (!user) return;
    if (known->second) holders.push_back(user);
    else users[used].push_back(user);
  };
  meet(&type, nullptr);
  while (!todo.empty()) {
    const types::TypeCode& t = *todo.back();
    todo.pop_back();
    meet(t.content, &t);
    for (std::uint32_t i = 0; i < t.member_count; ++i) meet(t.members[i].type, &t);
  }
  while (!holders.empty()) {
    const types::TypeCode* const t = holders.back();
    holders.pop_back();
    if (std::exchange(holds_values[t], true)) continue;
    const auto& by = users[t];
    holders.insert(holders.end(), by.begin(), by.end());
  }
  return holds_values[&type];
}

bool Node::read(cdr::Decoder& in, Reading& reading) {
  if (reading.nodes_left-- == 0) return in.fail();
  switch (kind()) {
    case Kind::Value:
    case Kind::Event:
    case Kind::ValueBox:
      return read_value(in, reading);
    case Kind::AbstractInterface:
      return hold(in);
    case Kind::Any: {
      auto any = std::make_unique<CORBA::Any>();
      if (!any->_corbel_unmarshal(in)) return false;
      content_ = std::move(any);
      return true;
    }
    case Kind::Struct:
    case Kind::Except:
    case Kind::Union:
    case Kind::Sequence:
    case Kind::Array:
      if (reading.may_hold_values(type_)) return in.enter() && read_parts(in, reading) && (in.leave(), true);
      break;
    default:
      break;
  }
  cdr::Encoder out;
  out.reset();
  const char* const begin = in.position();
  if (!types::transcode(in, out, type_) || out.error()) return false;
  if (in.position() == begin && ++reading.for_nothing > kMostForNothing) return in.fail();
  content_ = Octets(out, 0);
  return true;
}

bool Node::hold(cdr::Decoder& in) {
  auto any = std::make_unique<CORBA::Any>();
  auto& type = const_cast<CORBA::TypeCode&>(type_);
  if (!any->_corbel_unmarshal_value(in, type)) return false;
  content_ = std::move(any);
  return true;
}

bool Node::read_members(cdr::Decoder& in, Reading& reading, Parts& p, const types::Member* members,
                        std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::unique_ptr<Node> member(make(static_cast<const CORBA::TypeCode&>(*members[i].type)));
    if (!member->read(in, reading)) return false;
    p.nodes[i] = std::move(member);
  }
  return true;
}

bool Node::read_parts(cdr::Decoder& in, Reading& reading) {
  const types::TypeCode& t = resolved();
  auto fresh = std::make_unique<Parts>();
  Parts& p = *fresh;
  const auto one = [&](const types::TypeCode& type) {
    std::unique_ptr<Node> part(make(static_cast<const CORBA::TypeCode&>(type)));
    if (!part->read(in, reading)) return false;
    p.nodes.push_back(std::move(part));
    return true;
  };
  switch (t.kind) {
    case Kind::Except: {
      if (!reading.exception_ids.step_over(in, t)) return false;
      [[fallthrough]];
    }
    case Kind::Struct:
      p.nodes.resize(t.member_count);
      if (!read_members(in, reading, p, t.members, t.member_count)) return false;
      break;
    case Kind::Union:
      if (!one(*t.content)) return false;
      p.label = p.nodes[0]->number();
      p.member = tree_.branch(t, p.label);
      if (p.member >= 0 && !one(*t.members[p.member].type)) return false;
      break;
    default: {
      std::uint32_t n = t.length;
      if (t.kind == Kind::Sequence && !in.get_length(n, 1, t.length)) return false;
      for (std::uint32_t i = 0; i < n; ++i)
        if (!one(*t.content)) return false;
    }
  }
  content_ = std::move(fresh);
  return true;
}

bool Node::read_value(cdr::Decoder& in, Reading& reading) {
  cdr::ValueInput& values = cdr::values_of(in);
  cdr::ValueHeader h;
  if (!values.next(h)) return false;
  if (h.null()) return set_to_default();
  if (!h.reference()) return read_whole_value(in, reading, h);
  const char* tag;
  if (!values.target(tag)) return false;
  const types::TypeCode& t = resolved();
  const auto [first, end] = reading.states.equal_range(tag);
  for (auto known = first; known != end; ++known)
    // What is in a box is none that it derives from.
    for (const types::TypeCode* c = &known->second->type(); c;
         c = c->kind == Kind::ValueBox ? nullptr : types::resolve(c->content)) {
      if (std::strcmp(c->id, t.id) != 0) continue;
      known->second->add_ref();
      set_state(known->second);
      return true;
    }
  // In a part that was not taken to pieces, or as a value of another type. Many may refer to it.
  cpp::ValueReader& reader = cpp::reader_of(in);
  const std::size_t in_anys = reader.values_in_anys();
  cdr::ValueInput::Place back;
  cdr::ValueHeader there;
  if (!values.go_to(tag, back) || !values.next(there) || there.null() || there.reference() ||
      !read_whole_value(in, reading, there) ||
      !reader.may_copy(static_cast<std::size_t>(in.position() - tag), reader.values_in_anys() - in_anys + 1))
    return in.fail();
  values.return_to(back);
  return true;
}

// Behind its tag.
bool Node::read_whole_value(cdr::Decoder& in, Reading& reading, cdr::ValueHeader& h) {
  cdr::ValueInput& values = cdr::values_of(in);
  const types::TypeCode& t = resolved();
  if (!values.read_header(h)) return false;
  values.met(h, t.id);
  const std::string_view declared = values.declared_at(h);
  if (h.ids.empty()) h.ids = {&declared, 1};
  std::size_t first = 0;
  while (first < h.ids.size() && h.ids[first] != t.id) ++first;
  const bool described = first < h.ids.size() && t.special != CORBA::VM_CUSTOM &&
                         t.special != CORBA::VM_ABSTRACT && (first == 0 || h.chunked());
  if (!described) {
    cdr::ValueInput::Place back;
    return values.go_to(h.at, back) && hold(in);
  }
  base::Ref<State> state = base::Ref<State>::adopt(new State(tree_, resolved()));
  reading.states.emplace(h.at, state.get());
  bool cut = false;
  if (!values.begin_state(h) ||
      !read_members(in, reading, state->parts, state->members().data(), state->members().size()) ||
      !values.end_state(h, &cut))
    return false;
  if (cut && first == 0) return in.fail();
  reading.truncated |= cut || first != 0;
  set_state(state.release());
  return true;
}

// ---- comparison

bool Node::is_run() const {
  const types::TypeCode& t = resolved();
  return (t.kind == Kind::Sequence || t.kind == Kind::Array) && width_of(*t.content) != 0;
}

// Circles of different sizes meet in many pairs, each inside of the one before.
bool Node::equals(Node& other, bool same_type, Compared& compared) {
  if (++compared.depth > kDeepest || compared.pairs.size() > kMostPairs)
    cpp::raise({SystemErrorId::IMP_LIMIT, Completion::No, 0, "values refer to each other in too many ways"});
  const bool equal = has_equal_parts(other, same_type, compared);
  --compared.depth;
  return equal;
}

bool Node::has_equal_parts(Node& other, bool same_type, Compared& compared) {
  // Types of one id are equivalent, and may be made of other parts all the same.
  if (kind() != other.kind()) return false;
  const Octets *mine = octets(), *others = other.octets();
  if (same_type && mine && others && mine->same(*others) && width_of(resolved()) == 0) return true;
  if (is_value(kind())) {
    if (is_null() || other.is_null()) return is_null() == other.is_null();
    State *const a = state(), *const b = other.state();
    if (a && b) {
      if (a == b || !compared.pairs.emplace(a, b).second) return true;
      // Those of types that derive from the declared ones are compared part by part.
      same_type = same_type && &a->type() == &resolved() && &b->type() == &other.resolved();
      if (!same_type) {
        const auto [known, fresh] = compared.equivalent.try_emplace({&a->type(), &b->type()});
        if (fresh) known->second = types::equivalent(a->type(), b->type());
        if (!known->second) return false;
      }
      if (count() != other.count()) return false;
      for (std::uint32_t i = 0; i < count(); ++i)
        if (!part(i).equals(other.part(i), same_type, compared)) return false;
      return true;
    }
  } else if (composite() && !(mine && others && is_run() && other.is_run())) {
    if (count() != other.count() || (is_union(resolved()) && label() != other.label())) return false;
    for (std::uint32_t i = 0; i < count(); ++i)
      if (!part(i).equals(other.part(i), same_type, compared)) return false;
    return true;
  }
  return equal_leaves(*this, other, compared);
}

}  // namespace corbel::dynamic_any
