// What DynAnys stand for: a value of a TypeCode, taken to pieces as far as somebody has asked for its pieces.
//
// A node is the octets of its value until a component is asked for; then it knows where the octets of each
// component begin, and has nodes for those that were asked for. What holds valuetypes is read as a whole,
// because values may be shared: nodes of one value refer to one State. All belong to a Tree, which ends with
// the last DynAny that refers to it; so circles of values need no care. One thread at a time.
#pragma once

#include <corbel/cpp/any.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "orb/base/ref.h"
#include "orb/cdr/values.h"
#include "orb/core/orb.h"
#include "orb/dynamic_any/octets.h"
#include "orb/types/exception_id.h"

namespace corbel::dynamic_any {

class Base;
class Node;
class State;
class Tree;
using types::Kind;

// The components of a node.
struct Parts {
  Octets source;                      // of the first `known` components
  std::vector<std::uint32_t> begins;  // where they begin and the last ends, if `stride` is 0
  std::uint32_t first = 0, stride = 0;
  std::uint32_t known = 0;
  std::vector<std::unique_ptr<Node>> nodes;  // null: nobody has asked for it
  Octets blank;                              // of a sequence: what components behind `known` are
  bool has_blank = false;
  std::int64_t label = 0;    // of a union
  std::int32_t member = -1;  // of a union: index of the active one, or -1

  Octets part(std::uint32_t i) const;
};

// A valuetype's value that is not null. Counted by the nodes that refer to it; ends in the tree's
// end_states().
class State {
 public:
  State(Tree& tree, const CORBA::TypeCode& type);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  void add_ref() { ++count_; }
  void remove_ref();
  const CORBA::TypeCode& type() const { return type_; }
  // Those that it inherits come first; one without a name for what is in a box.
  const std::vector<types::Member>& members() const { return members_; }
  Parts parts;

 private:
  friend class Tree;
  Tree& tree_;
  const CORBA::TypeCode& type_;
  std::vector<types::Member> members_;
  std::uint32_t count_ = 1;
  State *previous_ = nullptr, *next_;
  std::uint32_t met_ = 0;  // by end_circles(): nodes of the tree that refer to it
  bool stays_ = false;
  State* next_ended_ = nullptr;
};

// What is known of values while they are read.
struct Reading {
  static constexpr std::size_t kNodes = 100'000;  // and one for each octet
  // By where their tag stands: one for each type that one value is read as.
  std::multimap<const char*, State*> states;
  std::unordered_map<const types::TypeCode*, bool> holds_values;
  std::uint32_t for_nothing = 0;  // nodes without octets
  // That may be made yet: types may be of many levels in a few octets.
  std::size_t nodes_left = kNodes;
  // Before it is read.
  Reading& expect(const cdr::Decoder& in) {
    nodes_left += in.remaining();
    return *this;
  }
  types::ExceptionIds exception_ids;
  bool truncated = false;
  bool may_hold_values(const types::TypeCode& type);
};

// Values that have been met together while two are compared, how deep that is, and inside of how many Anys.
struct Compared {
  std::set<std::pair<State*, State*>> pairs;
  // Of types that those of two nodes do not tell.
  std::map<std::pair<const types::TypeCode*, const types::TypeCode*>, bool> equivalent;
  std::uint32_t depth = 0, anys = 0;
};

class Node {
 public:
  Node(Tree& tree, const CORBA::TypeCode& type, std::uint32_t depth);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Tree& tree() const { return tree_; }
  const CORBA::TypeCode& type() const { return type_; }
  const CORBA::TypeCode& resolved() const {
    return static_cast<const CORBA::TypeCode&>(*types::resolve(&type_));
  }
  Kind kind() const { return types::resolve(&type_)->kind; }
  // Some value of its type has components.
  bool composite() const;
  // A sequence or an array of numbers.
  bool is_run() const;
  std::uint32_t count();
  // Below count().
  Node& part(std::uint32_t i);
  const CORBA::TypeCode& part_type(std::uint32_t i);
  // The component's value, without a node for it.
  void part_to_any(std::uint32_t i, CORBA::Any& any);
  // -1: none.
  std::int32_t position();
  void set_position(std::int64_t index) {
    position_ = index >= 0 && index < count() ? static_cast<std::int32_t>(index) : -1;
  }

  // Its octets, where it has never been taken to pieces; else null.
  const Octets* octets() const { return std::get_if<Octets>(&content_); }
  // The encoder must stand in a scope of values. Failures are the encoder's.
  void write(cdr::Encoder& out);
  // What stands there is a value of the type. Ends all nodes below; the position is the first component's.
  void set(Octets octets);
  // The same of what may be none: false, and nothing has changed. A node in `reading` shares values.
  bool replace(const Octets& octets, Reading* reading = nullptr);
  bool read(cdr::Decoder& in, Reading& reading);
  // The default value; false if there is none, IMP_LIMIT if it is too large.
  bool set_to_default();
  // The components go on as `n`, of which new ones have the default value. Sequences only.
  void resize(std::uint32_t n);

  // ---- unions
  std::int32_t active_member();
  std::int64_t label();
  // Another discriminator; a member that it does not select ends.
  void set_label(std::int64_t label);
  // A label of no member.
  bool free_label(std::int64_t& label);
  // That of a discriminator.
  std::int64_t number();

  // ---- valuetypes
  State* state() const;
  bool is_null() const;
  // Takes over a count; null is the null value.
  void set_state(State* state);
  // Known by its octets only.
  bool opaque() const { return std::holds_alternative<std::unique_ptr<CORBA::Any>>(content_); }

  // `same_type`: types::equal() of both types, which is asked once for all that they are made of.
  bool equals(Node& other, bool same_type, Compared& compared);

  Base* facade = nullptr;  // the DynAny that stands for it, if there is one

 private:
  friend class Tree;
  Parts& parts();
  void resize_run(std::uint32_t n);
  void split(const Octets& octets, Parts& parts);
  void activate(std::int64_t label);
  void write_parts(cdr::Encoder& out, const Parts& parts);
  bool read_parts(cdr::Decoder& in, Reading& reading);
  bool read_members(cdr::Decoder& in, Reading& reading, Parts& parts, const types::Member* members,
                    std::size_t count);
  bool read_value(cdr::Decoder& in, Reading& reading);
  bool read_whole_value(cdr::Decoder& in, Reading& reading, cdr::ValueHeader& header);
  bool hold(cdr::Decoder& in);
  bool has_equal_parts(Node& other, bool same_type, Compared& compared);
  Node* make(const CORBA::TypeCode& type);
  void let_go();

  Tree& tree_;
  const CORBA::TypeCode& type_;
  const std::uint32_t depth_;
  Node* union_ = nullptr;  // whose discriminator it is, once somebody has asked for it
  static constexpr std::int32_t kFirst = -2;
  std::int32_t position_ = kFirst;
  std::variant<Octets, std::unique_ptr<Parts>, State*, std::unique_ptr<CORBA::Any>> content_;
};

class Tree {
 public:
  explicit Tree(core::Orb& orb) : orb_(base::Ref<core::Orb>::share(&orb)) {}
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  void add_ref() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }
  void remove_ref() {
    if (__atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1) delete this;
  }

  core::Orb& orb() const { return *orb_; }
  // A value that is no part of another one, still without a value of its own.
  Node& add_root(const CORBA::TypeCode& type);
  bool is_root(const Node& node) const;
  void destroy(const Node& root);
  // Ends those that nobody refers to any more. Not at once: nodes may do so that are parts of them.
  void end_states();
  // The member that a label selects, or -1.
  std::int32_t branch(const types::TypeCode& type, std::int64_t label);
  std::uint32_t writing = 0;  // nodes that are being written, one inside the other

 private:
  friend class State;
  void delete_ended();
  void end_circles();
  struct Root {
    CORBA::TypeCode_var type;  // all types below live as long as it does
    std::unique_ptr<Node> node;
  };
  base::Ref<core::Orb> orb_;
  std::vector<CORBA::TypeCode_var> types_;  // of roots that are gone: others may share their values
  std::vector<Root> roots_;
  State *states_ = nullptr, *ended_ = nullptr;
  std::size_t states_count_ = 0, look_for_circles_at_ = 64;
  std::unordered_map<const types::TypeCode*, std::unordered_map<std::int64_t, std::int32_t>> labels_;
  std::uint32_t count_ = 1;
};

inline void State::remove_ref() {
  if (--count_ != 0) return;
  next_ended_ = tree_.ended_;
  tree_.ended_ = this;
}

// The octets of the default value; false if the type has none, IMP_LIMIT if they are too many.
bool put_default(cdr::Encoder& out, const types::TypeCode& type);
// Octets of a number of this kind, which is its alignment, or 0; long double has 16.
std::uint32_t width_of(const types::TypeCode& type);
// How many values a discriminator may have, or more than any union has members.
std::uint64_t labels_of(const types::TypeCode& discriminator);
void put_label(cdr::Encoder& out, const types::TypeCode& discriminator, std::int64_t label);

// Those of an Any; false if it holds none. Raises what else goes wrong.
bool octets_of(const CORBA::Any& any, Octets& octets);
// Raises what went wrong.
void to_any(Node& node, CORBA::Any& any);

}  // namespace corbel::dynamic_any
