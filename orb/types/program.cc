#include "orb/types/program.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orb/types/arena.h"
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

// Of several threads that made one, the first has made that of the type.
const Program& publish(const TypeCode& type, const Program& made) {
  const Program* known = nullptr;
  return __atomic_compare_exchange_n(&type.program, &known, &made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
             ? made
             : *known;
}

}  // namespace

// Makes routines by going from type to type. A peer may have laid these out so that each is met inside of the
// one before, however low they are: those that are deep have their turn later.
class Programs::Maker {
 public:
  const Program& program_of(const TypeCode& type) {
    Program made;
    const Arena::Mark before = memory_.mark();
    const std::size_t size = size_;
    try {
      made.main_ = routine_of(&type);
      while (!later_.empty()) {
        const Later next = later_.back();
        later_.pop_back();
        fill(*next.routine, *next.type, next.of_state);
      }
    } catch (...) {
      // Some routines have no steps yet, and nothing that is published leads to any that were made here.
      routines_.clear(), choices_.clear(), states_.clear(), later_.clear();
      memory_.back_to(before);
      size_ = size;
      throw;
    }
    made.has_ = made.main_->has;
    if ((made.has_ & Program::kMore) != 0) made.has_ |= all_have_;
    const Kind kind = resolve(&type)->kind;
    if (made.main_->count == 1) {
      const Step& step = *made.main_->steps;
      if (step.op == Op::Sequence) made.find_run(step);
      if (step.op == Op::Flat && !step.flat->checked && (kind == Kind::Struct || kind == Kind::Array))
        made.plain_ = step.flat;
    }
    return *memory_.make(made);
  }
  std::size_t size() const { return size_; }
  // What was made last leads to all of it.
  void keep_for_ever() { memory_.keep_for_ever(); }

  Maker* next = nullptr;  // of those that are idle

 private:
  using Op = Program::Op;
  using Check = Program::Check;
  using Step = Program::Step;
  using Item = Program::Item;
  using Flat = Program::Flat;
  using Routine = Program::Routine;
  using Choice = Program::Choice;
  using Label = Program::Label;
  using State = Program::State;

  // A step, or an item that a Flat step is going to take in.
  struct Part {
    bool is_item;
    Item item;
    Step step;
  };
  using Parts = std::vector<Part>;
  struct Later {
    Routine* routine;
    const TypeCode* type;
    bool of_state;
  };
  static constexpr int kDeepest = 256;
  struct Deeper {
    explicit Deeper(int& depth) : depth(++depth) {}
    ~Deeper() { --depth; }
    int& depth;
  };

  const Routine* routine_of(const TypeCode* type) {
    type = resolve(type);
    if (const auto known = routines_.find(type); known != routines_.end()) {
      has_ |= known->second->has;
      return known->second;
    }
    Routine* const made = memory_.make(Routine{nullptr, kUnfinished, 0, Program::kMore});
    routines_.emplace(type, made);
    fill(*made, *type, false);
    has_ |= made->has;
    return made;
  }
  // Of a valuetype or a box: with what it has itself.
  void fill(Routine& routine, const TypeCode& type, bool of_state) {
    if (depth_ == kDeepest) return later_.push_back({&routine, &type, of_state});
    const Deeper deeper(depth_);
    const std::uint8_t around = std::exchange(has_, std::uint8_t{0});
    Parts parts;
    if (of_state && type.kind == Kind::ValueBox) emit(*type.content, parts);
    else if (of_state || type.kind == Kind::Struct || type.kind == Kind::Except) members(type, parts);
    else emit(type, parts);
    finish(routine, parts);
    all_have_ |= has_;
    has_ = around;
  }

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
  static void add(Parts& to, Op op, std::uint32_t a = 0) { add(to, Step{op, a, {}}); }
  static void add(Parts& to, Op op, std::uint32_t a, const Routine* routine) {
    add(to, Step{op, a, {.routine = routine}});
  }

  void refer(Parts& to, Op op) {
    has_ |= Program::kReferences;
    add(to, op);
  }

  void emit(const TypeCode& t, Parts& to) {
    switch (t.kind) {
      case Kind::Null:
      case Kind::Void:
        return;
      case Kind::Char:
        has_ |= Program::kChars;
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
        has_ |= Program::kFloats;
        return add(to, number(t.kind == Kind::Float ? 4 : t.kind == Kind::Double ? 8 : 16));
      case Kind::Enum:
        return add(to, Item{4, Check::Enum, false, 1, t.member_count});
      case Kind::Fixed:
        return add(to, Item{1, Check::Decimal, false, t.length / 2 + 1, t.length / 2 + 1});
      case Kind::String:
        return add(to, Op::String, t.length);
      case Kind::WChar:
        return add(to, Op::WChar);
      case Kind::WString:
        return add(to, Op::WString, t.length);
      case Kind::Alias:
        return emit(*resolve(&t), to);
      case Kind::Sequence:
        return add(to, Op::Sequence, t.length, routine_of(t.content));
      case Kind::Array:
        return array(t, to);
      case Kind::Struct:
      case Kind::Except:
        return splice(*routine_of(&t), to);
      case Kind::Union:
        return add(to, Step{Op::Choice, 0, {.choice = choice_of(t)}});
      case Kind::ObjRef:
      case Kind::Component:
      case Kind::Home:
        return refer(to, Op::Reference);
      case Kind::TypeCode:
        return refer(to, Op::TypeCode);
      case Kind::Any:
        return refer(to, Op::Any);
      case Kind::AbstractInterface:
        return refer(to, Op::Abstract);
      case Kind::Value:
      case Kind::Event:
      case Kind::ValueBox:
        has_ |= Program::kReferences;
        return add(to, Step{Op::Value, 0, {.state = state_of(t)}});
      default:
        return add(to, Op::Refuse);
    }
  }

  void members(const TypeCode& t, Parts& to) {
    if (t.kind == Kind::Except) add(to, Step{Op::ExceptionId, 0, {.type = &t}});
    for (std::uint32_t i = 0; i < t.member_count; ++i) emit(*t.members[i].type, to);
  }

  void array(const TypeCode& t, Parts& to) {
    const Routine* const element = routine_of(t.content);
    if (element->count == 1 && element->steps->op == Op::Flat && element->steps->flat->count == 1) {
      Item item = *element->steps->flat->items;
      if (item.count == 1 && item.size() * t.length <= kMostFlat) {
        item.count = t.length;
        item.array = item.width <= 8 && item.check != Check::Enum;
        return add(to, item);
      }
    }
    add(to, Op::Array, t.length, element);
  }

  // Short ones stand where they are used, so that their numbers join those around.
  void splice(const Routine& r, Parts& to) {
    std::size_t parts = r.count;
    if (parts <= kFewParts)
      for (const Step& step : steps(r))
        if (step.op == Op::Flat) parts += step.flat->count;
    if (parts > kFewParts) return add(to, Op::Call, 0, &r);
    for (const Step& step : steps(r)) {
      if (step.op != Op::Flat) add(to, step);
      else
        for (std::uint32_t k = 0; k < step.flat->count; ++k) add(to, step.flat->items[k]);
    }
  }
  static std::span<const Step> steps(const Routine& r) { return {r.steps, r.count}; }

  const Choice* choice_of(const TypeCode& t) {
    if (const auto known = choices_.find(&t); known != choices_.end()) {
      has_ |= known->second->has;
      return known->second;
    }
    const TypeCode& d = *resolve(t.content);
    Choice* const made = memory_.make(Choice{d.kind, d.member_count, 0, nullptr, nullptr, Program::kMore});
    choices_.emplace(&t, made);
    const std::uint8_t around = std::exchange(has_, d.kind == Kind::Char ? Program::kChars : std::uint8_t{0});
    std::vector<Label> labels;
    labels.reserve(t.member_count);
    for (std::uint32_t i = 0; i < t.member_count; ++i) {
      const Routine* const routine = routine_of(t.members[i].type);
      if (static_cast<std::int32_t>(i) == t.special) made->fallback = routine;
      else labels.push_back({normalized(t.members[i].label, d.kind), routine});
    }
    // Of several members with one label the first counts.
    std::stable_sort(labels.begin(), labels.end(),
                     [](const Label& a, const Label& b) { return a.label < b.label; });
    made->labels = memory_.copy<Label>(labels);
    made->count = static_cast<std::uint32_t>(labels.size());
    size_ += labels.size();
    made->has = has_;
    has_ |= around;
    return made;
  }

  // Of the type and those that it derives from, which may be a circle if a peer says so.
  const State* state_of(const TypeCode& t) {
    static constexpr Step refuse{Op::Refuse, 0, {}};
    static constexpr Routine refusing{&refuse, 1, 0, 0};
    const bool box = t.kind == Kind::ValueBox;
    const State* first = nullptr;
    const State** place = &first;
    std::vector<State*> fresh;
    const std::uint8_t around = std::exchange(has_, std::uint8_t{0});
    for (const TypeCode* c = &t; c; c = box ? nullptr : resolve(c->content)) {
      if (!box && c->kind != Kind::Value && c->kind != Kind::Event) {  // nothing derives from it
        *place = memory_.make(State{c, &refusing, nullptr, 0});
        break;
      }
      if (const auto known = states_.find(c); known != states_.end()) {
        has_ |= known->second->has;
        *place = known->second;
        break;
      }
      Routine* const routine = memory_.make(Routine{nullptr, kUnfinished, 0, Program::kMore});
      State* const made = memory_.make(State{c, routine, nullptr, Program::kMore});
      *place = made;
      place = &made->base;
      states_.emplace(c, made);
      fresh.push_back(made);
      fill(*routine, *c, true);
      has_ |= routine->has;
    }
    for (State* const made : fresh) made->has = has_;
    has_ |= around;
    return first;
  }

  void finish(Routine& routine, const Parts& parts) {
    std::vector<Step> steps;
    std::uint64_t least = 0;
    for (std::size_t i = 0; i < parts.size();) {
      if (!parts[i].is_item) {
        least += least_of(parts[i].step);
        steps.push_back(parts[i++].step);
        continue;
      }
      std::vector<Item> items;
      Flat flat{nullptr, 0, false, {}, 0};
      while (i < parts.size() && parts[i].is_item && flat.octets + parts[i].item.size() <= kMostFlat) {
        const Item& next = parts[i++].item;
        flat.octets += static_cast<std::uint32_t>(next.size());
        flat.checked |= next.check != Check::None && next.check != Check::Char;
        items.push_back(next);
      }
      for (std::uint32_t start = 0; start < 8; ++start) {
        std::size_t at = start;
        for (const Item& next : items)
          at = (at + next.alignment() - 1) / next.alignment() * next.alignment() + next.size();
        flat.sizes[start] = static_cast<std::uint32_t>(at - start);
      }
      flat.items = memory_.copy<Item>(items);
      flat.count = static_cast<std::uint32_t>(items.size());
      size_ += items.size();
      least += flat.octets;
      steps.push_back(Step{Op::Flat, 0, {.flat = memory_.make(flat)}});
    }
    size_ += steps.size();
    routine = {memory_.copy<Step>(steps), static_cast<std::uint32_t>(steps.size()),
               static_cast<std::uint32_t>(std::min<std::uint64_t>(least, kMuch)), has_};
  }

  static std::uint64_t least_of(const Step& step) {
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
        return std::uint64_t{step.a} * step.routine->least;
      case Op::Choice:
        return types::least_of(step.choice->discriminator);
      case Op::Call:
        return step.routine->least;
      case Op::Reference:
        return 8;
      default:
        return 0;
    }
  }

  // Of a routine that is being made: it is met inside of itself.
  static constexpr std::uint32_t kUnfinished = 0xffffffff;

  Arena memory_;
  std::size_t size_ = 0;
  int depth_ = 0;
  std::uint8_t has_ = 0;       // the type that is being looked at
  std::uint8_t all_have_ = 0;  // together
  std::vector<Later> later_;
  std::unordered_map<const TypeCode*, const Routine*> routines_;
  std::unordered_map<const TypeCode*, const Choice*> choices_;
  std::unordered_map<const TypeCode*, const State*> states_;
};

void Program::find_run(const Step& sequence) {
  const Routine& element = *sequence.routine;
  if (element.count != 1 || element.steps->op != Op::Flat) return;
  const Flat& flat = *element.steps->flat;
  Run run{sequence.a, flat.octets, flat.sizes[0], 4, 0, flat.sizes[4], 0, 0};
  std::size_t at = 0, widest = 1;
  for (std::uint32_t i = 0; i < flat.count; ++i) {
    const Item& item = flat.items[i];
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

// One of those that are idle, or a new one: there are about as many as threads that ever made programs at
// once (one more where a thread looks while another one takes the list apart).
class Programs::InUse {
 public:
  explicit InUse(std::atomic<Maker*>& idle)
      : idle_(idle), maker_(idle.exchange(nullptr, std::memory_order_acquire)) {
    if (!maker_) maker_ = new Maker;
    else if (maker_->next) give_back(std::exchange(maker_->next, nullptr));
  }
  ~InUse() { give_back(maker_); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  Maker* operator->() const { return maker_; }

 private:
  void give_back(Maker* list) {
    Maker* last = list;
    while (last->next) last = last->next;
    while (!idle_.compare_exchange_weak(last->next, list, std::memory_order_acq_rel)) {
    }
  }

  std::atomic<Maker*>& idle_;
  Maker* maker_;
};

Programs::~Programs() {
  for (Maker* m = idle_.load(std::memory_order_acquire); m;) delete std::exchange(m, m->next);
}

const Program& Programs::of(const TypeCode& type) {
  const InUse maker(idle_);
  // Another thread may have made it since.
  if (const Program* const made = __atomic_load_n(&type.program, __ATOMIC_ACQUIRE)) return *made;
  return publish(type, maker->program_of(type));
}

const Program& Programs::of_constant(const TypeCode& type) {
  Maker maker;
  const Program& made = maker.program_of(type);
  const Program& first = publish(type, made);
  if (&first == &made) maker.keep_for_ever();
  return first;
}

std::size_t Programs::size() const {
  std::size_t size = 0;
  for (const Maker* m = idle_.load(std::memory_order_acquire); m; m = m->next) size += m->size();
  return size;
}

const Program& Program::of(const TypeCode& type) {
  if (const Program* const made = __atomic_load_n(&type.program, __ATOMIC_ACQUIRE)) return *made;
  return type.block ? type.block->programs().of(type) : Programs::of_constant(type);
}

const Program::Routine* Program::Choice::branch(std::int64_t label) const {
  label = normalized(label, discriminator);
  const Label* const end = labels + count;
  const Label* const at =
      std::lower_bound(labels, end, label,
                       [](const Label& candidate, std::int64_t wanted) { return candidate.label < wanted; });
  return at != end && at->label == label ? at->routine : fallback;
}

}  // namespace corbel::types
