#include "orb/types/program.h"

#include <algorithm>
#include <memory>

#include "orb/types/block.h"
#include "orb/types/label.h"

namespace corbel::types {
namespace {

constexpr std::size_t kFewParts = 8;  // routines of no more are repeated where they are used
// Of one step, without padding: in encoders, chunks may not be longer than their scratch memory.
constexpr std::size_t kMostFlat = 1024;
constexpr std::uint32_t kMuch = 1u << 30;

constexpr Program::Item number(std::uint8_t width) { return {width, Program::Check::None, false, 1, 0}; }

// Octets of one value of a union's discriminator; the least of them.
std::uint32_t least_of(Kind discriminator) {
  switch (discriminator) {
    case Kind::Short:
    case Kind::UShort:
      return 2;
    case Kind::Long:
    case Kind::ULong:
    case Kind::Enum:
      return 4;
    case Kind::LongLong:
    case Kind::ULongLong:
      return 8;
    default:
      return 1;
  }
}

}  // namespace

// Makes routines by going from type to type. A peer may have laid these out so that each is met inside of the
// one before, however low they are: what is deeper refuses its values.
class Program::Maker {
 public:
  explicit Maker(Program& program) : p_(program) {}

  std::uint32_t routine_of(const types::TypeCode* type) {
    type = resolve(type);
    if (const auto known = routines_.find(type); known != routines_.end()) return known->second;
    const auto id = static_cast<std::uint32_t>(p_.routines_.size());
    p_.routines_.push_back({0, kNone, 0});
    routines_.emplace(type, id);
    Parts parts;
    const Deeper deeper(depth_);
    if (depth_ > kDeepest) add(parts, Step{Op::Refuse});
    else if (type->kind == Kind::Struct || type->kind == Kind::Except) members(*type, parts);
    else emit(*type, parts);
    finish(id, parts);
    return id;
  }

 private:
  // A step, or an item that a Flat step is going to take in.
  struct Part {
    bool is_item;
    Item item;
    Step step;
  };
  using Parts = std::vector<Part>;
  static constexpr int kDeepest = 1000;
  struct Deeper {
    explicit Deeper(int& depth) : depth(++depth) {}
    ~Deeper() { --depth; }
    int& depth;
  };

  static void add(Parts& to, const Item& item) {
    if (!to.empty() && to.back().is_item) {
      Item& last = to.back().item;
      if (!last.array && !item.array && last.width == item.width && last.check == item.check &&
          last.limit == item.limit && last.size() + item.size() <= kMostFlat) {
        last.count += item.count;
        return;
      }
    }
    to.push_back({true, item, {}});
  }
  static void add(Parts& to, const Step& step) { to.push_back({false, {}, step}); }

  void refer(Parts& to, const Step& step) {
    p_.refers_ = true;
    add(to, step);
  }

  void emit(const types::TypeCode& t, Parts& to) {
    switch (t.kind) {
      case Kind::Null:
      case Kind::Void:
        return;
      case Kind::Char:
        p_.has_chars_ = true;
        return add(to, Item{1, Check::Char, false, 1, 0});
      case Kind::Octet:
        return add(to, number(1));
      case Kind::Boolean:
        return add(to, Item{1, Check::Boolean, false, 1, 0});
      case Kind::Short:
      case Kind::UShort:
        return add(to, number(2));
      case Kind::Long:
      case Kind::ULong:
        return add(to, number(4));
      case Kind::LongLong:
      case Kind::ULongLong:
        return add(to, number(8));
      case Kind::Float:
      case Kind::Double:
      case Kind::LongDouble:
        p_.has_floats_ = true;
        return add(to, number(t.kind == Kind::Float ? 4 : t.kind == Kind::Double ? 8 : 16));
      case Kind::Enum:
        return add(to, Item{4, Check::Enum, false, 1, t.member_count});
      case Kind::Fixed:
        return add(to, Item{1, Check::Decimal, false, t.length / 2 + 1, t.length / 2 + 1});
      case Kind::String:
        return add(to, Step{Op::String, t.length});
      case Kind::WChar:
        return add(to, Step{Op::WChar});
      case Kind::WString:
        return add(to, Step{Op::WString, t.length});
      case Kind::Alias:
        return emit(*resolve(&t), to);
      case Kind::Sequence:
        return add(to, Step{Op::Sequence, t.length, routine_of(t.content)});
      case Kind::Array:
        return array(t, to);
      case Kind::Struct:
      case Kind::Except:
        return splice(routine_of(&t), to);
      case Kind::Union:
        return add(to, Step{Op::Choice, choice_of(t)});
      case Kind::ObjRef:
      case Kind::Component:
      case Kind::Home:
        return refer(to, Step{Op::Reference});
      case Kind::TypeCode:
        return refer(to, Step{Op::TypeCode});
      case Kind::Any:
        return refer(to, Step{Op::Any});
      case Kind::AbstractInterface:
        return refer(to, Step{Op::Abstract});
      case Kind::Value:
      case Kind::Event:
      case Kind::ValueBox:
        states_of(t);
        return refer(to, Step{Op::Value, 0, 0, &t});
      default:
        return add(to, Step{Op::Refuse});
    }
  }

  void members(const types::TypeCode& t, Parts& to) {
    if (t.kind == Kind::Except) add(to, Step{Op::ExceptionId, 0, 0, &t});
    for (std::uint32_t i = 0; i < t.member_count; ++i) emit(*t.members[i].type, to);
  }

  void array(const types::TypeCode& t, Parts& to) {
    const std::uint32_t element = routine_of(t.content);
    const Routine& r = p_.routines_[element];
    if (r.count == 1) {
      const Step& step = p_.steps_[r.first];
      if (step.op == Op::Flat && p_.flats_[step.a].count == 1) {
        Item item = p_.items_[p_.flats_[step.a].first];
        if (item.count == 1 && item.size() * t.length <= kMostFlat) {
          item.count = t.length;
          item.array = item.width <= 8 && item.check != Check::Enum;
          return add(to, item);
        }
      }
    }
    add(to, Step{Op::Array, t.length, element});
  }

  // Short ones stand where they are used, so that their numbers join those around.
  void splice(std::uint32_t id, Parts& to) {
    const Routine& r = p_.routines_[id];
    std::size_t parts = r.count;
    if (parts <= kFewParts)
      for (std::uint32_t i = 0; i < r.count; ++i) {
        const Step& step = p_.steps_[r.first + i];
        if (step.op == Op::Flat) parts += p_.flats_[step.a].count;
      }
    if (r.count == kNone || parts > kFewParts) return add(to, Step{Op::Call, 0, id});
    for (std::uint32_t i = 0; i < r.count; ++i) {
      const Step& step = p_.steps_[r.first + i];
      if (step.op == Op::Flat)
        for (std::uint32_t k = 0; k < p_.flats_[step.a].count; ++k)
          add(to, Item(p_.items_[p_.flats_[step.a].first + k]));
      else add(to, Step(step));
    }
  }

  std::uint32_t choice_of(const types::TypeCode& t) {
    if (const auto known = choices_.find(&t); known != choices_.end()) return known->second;
    const auto id = static_cast<std::uint32_t>(p_.choices_.size());
    choices_.emplace(&t, id);
    const types::TypeCode& d = *resolve(t.content);
    p_.has_chars_ |= d.kind == Kind::Char;
    p_.choices_.push_back({d.kind, d.member_count, 0, 0, kNone});
    std::vector<Label> labels;
    labels.reserve(t.member_count);
    std::uint32_t fallback = kNone;
    for (std::uint32_t i = 0; i < t.member_count; ++i) {
      const std::uint32_t routine = routine_of(t.members[i].type);
      if (static_cast<std::int32_t>(i) == t.special) fallback = routine;
      else labels.push_back({normalized(t.members[i].label, d.kind), routine});
    }
    // Of several members with one label the first counts.
    std::stable_sort(labels.begin(), labels.end(),
                     [](const Label& a, const Label& b) { return a.label < b.label; });
    Choice& made = p_.choices_[id];
    made.first = static_cast<std::uint32_t>(p_.labels_.size());
    made.count = static_cast<std::uint32_t>(labels.size());
    made.fallback = fallback;
    p_.labels_.insert(p_.labels_.end(), labels.begin(), labels.end());
    return id;
  }

  // Of the type and those that it derives from, which may be a circle if a peer says so.
  void states_of(const types::TypeCode& t) {
    for (const types::TypeCode* c = &t; c; c = t.kind == Kind::ValueBox ? nullptr : resolve(c->content)) {
      if (c->kind != Kind::Value && c->kind != Kind::Event && c->kind != Kind::ValueBox) return;
      const auto id = static_cast<std::uint32_t>(p_.routines_.size());
      if (!p_.states_.emplace(c, id).second) return;
      p_.routines_.push_back({0, kNone, 0});
      Parts parts;
      const Deeper deeper(depth_);
      if (depth_ > kDeepest) add(parts, Step{Op::Refuse});
      else if (c->kind == Kind::ValueBox) emit(*c->content, parts);
      else members(*c, parts);
      finish(id, parts);
    }
  }

  void finish(std::uint32_t id, const Parts& parts) {
    Routine r{static_cast<std::uint32_t>(p_.steps_.size()), 0, 0};
    std::uint64_t least = 0;
    for (std::size_t i = 0; i < parts.size();) {
      if (!parts[i].is_item) {
        least += least_of(parts[i].step);
        p_.steps_.push_back(parts[i++].step);
        continue;
      }
      Flat flat{static_cast<std::uint32_t>(p_.items_.size()), 0, false, {}, 0};
      while (i < parts.size() && parts[i].is_item && flat.octets + parts[i].item.size() <= kMostFlat) {
        const Item& next = parts[i++].item;
        flat.octets += static_cast<std::uint32_t>(next.size());
        flat.checked |= next.check != Check::None && next.check != Check::Char;
        ++flat.count;
        p_.items_.push_back(next);
      }
      for (std::uint32_t start = 0; start < 8; ++start) {
        std::size_t at = start;
        for (std::uint32_t k = 0; k < flat.count; ++k) {
          const Item& next = p_.items_[flat.first + k];
          at = (at + next.alignment() - 1) / next.alignment() * next.alignment() + next.size();
        }
        flat.sizes[start] = static_cast<std::uint32_t>(at - start);
      }
      least += flat.octets;
      p_.steps_.push_back({Op::Flat, static_cast<std::uint32_t>(p_.flats_.size())});
      p_.flats_.push_back(flat);
    }
    r.count = static_cast<std::uint32_t>(p_.steps_.size()) - r.first;
    r.least = static_cast<std::uint32_t>(std::min<std::uint64_t>(least, kMuch));
    p_.routines_[id] = r;
  }

  std::uint64_t least_of(const Step& step) const {
    switch (step.op) {
      case Op::String:
      case Op::WString:
      case Op::Sequence:
      case Op::TypeCode:
      case Op::Any:
      case Op::Value:
        return 4;
      case Op::WChar:
      case Op::Abstract:
        return 1;
      case Op::Array:
        return std::uint64_t{step.a} * p_.routines_[step.b].least;
      case Op::Choice:
        return types::least_of(p_.choices_[step.a].discriminator);
      case Op::Call:
        return p_.routines_[step.b].least;
      case Op::Reference:
        return 8;
      default:
        return 0;
    }
  }

  Program& p_;
  int depth_ = 0;
  std::unordered_map<const types::TypeCode*, std::uint32_t> routines_;
  std::unordered_map<const types::TypeCode*, std::uint32_t> choices_;
};

Program::Program(const types::TypeCode& type) {
  main_ = Maker(*this).routine_of(&type);
  const Kind kind = resolve(&type)->kind;
  const Routine& main = routines_[main_];
  if (main.count != 1) return;
  const Step& step = steps_[main.first];
  if (step.op == Op::Sequence) find_run(step);
  if (kind != Kind::Struct && kind != Kind::Array) return;
  if (step.op == Op::Flat && !flats_[step.a].checked) plain_ = &flats_[step.a];
}

void Program::find_run(const Step& sequence) {
  const Routine& element = routines_[sequence.b];
  if (element.count != 1 || steps_[element.first].op != Op::Flat) return;
  const Flat& flat = flats_[steps_[element.first].a];
  Run run{sequence.a, flat.octets, flat.sizes[0], 4, 0, flat.sizes[4], 0, 0};
  std::size_t at = 0, widest = 1;
  for (std::uint32_t i = 0; i < flat.count; ++i) {
    const Item& item = items_[flat.first + i];
    if (item.width > 8) return;
    widest = std::max(widest, item.alignment());
    if (item.width == 8 && run.moves == 0) {
      run.stays = 0, run.moves = 4;
      run.head = static_cast<std::uint32_t>(at);
      run.tail = run.size - static_cast<std::uint32_t>((at + 7) / 8 * 8);
    }
    at = (at + item.alignment() - 1) / item.alignment() * item.alignment() + item.size();
  }
  if (!flat.checked && run.size % widest == 0) run_ = run;
}

const Program& Program::of(const types::TypeCode& type) {
  if (const Program* const made = __atomic_load_n(&type.program, __ATOMIC_ACQUIRE)) return *made;
  auto fresh = std::make_unique<Program>(type);
  const Program* known = nullptr;
  if (!__atomic_compare_exchange_n(&type.program, &known, fresh.get(), false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return *known;
  Program* const made = fresh.release();
  if (type.block) type.block->keep(*made);
  return *made;
}

std::uint32_t Program::branch(const Choice& choice, std::int64_t label) const {
  label = normalized(label, choice.discriminator);
  const Label* const begin = labels_.data() + choice.first;
  const Label* const end = begin + choice.count;
  const Label* const at =
      std::lower_bound(begin, end, label,
                       [](const Label& candidate, std::int64_t wanted) { return candidate.label < wanted; });
  return at != end && at->label == label ? at->routine : choice.fallback;
}

}  // namespace corbel::types
