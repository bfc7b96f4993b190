// Both interfaces of styles.idl for a peer that is a script.
//
// `peer [ORB options] serve` prints the references of Code and of Programs, and serves until its input ends.
//
// `peer [ORB options] call STYLE IOR` calls everything for each line of its input, and prints a line for each
// call, which says what came back, and an empty one.
#include <corbel/any.h>
#include <corbel/poa.h>

#include <cstring>
#include <iostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "styles.any.h"
#include "styles.skel.h"

namespace {

class Note : public virtual OBV_Styles::Note, public virtual CORBA::DefaultValueRefCountBase {
 public:
  char* describe() override { return CORBA::string_dup(text()); }
};
template <typename V>
struct Factory : CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new V; }
};
template <typename V>
void add_factory(CORBA::ORB_ptr orb, const char* id) {
  CORBA::ValueFactory_var factory = new Factory<V>;
  CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
}

// ---- values as text: what is one value has one number

class Shown {
 public:
  Shown& operator()(const char* what) {
    text_ += what;
    return *this;
  }
  Shown& operator()(Styles::Node* node) {
    const char* before = "[";
    for (bool fresh = true; node && fresh; node = node->next(), before = " ") {
      text_ += before + std::to_string(node->id());
      fresh = number(node);
    }
    return (*this)(*before == '[' ? "[]" : "]");
  }
  Shown& operator()(CORBA::ValueBase* value) {
    if (Styles::Node* const node = Styles::Node::_downcast(value)) return (*this)(node);
    if (Styles::Label* const label = Styles::Label::_downcast(value)) text_ += label->_value();
    if (Styles::Note* const note = Styles::Note::_downcast(value)) text_ += note->text();
    if (value) number(value);
    else text_ += "null";
    return *this;
  }
  Shown& operator()(Styles::Described* subject) {
    CORBA::Object_var object = subject ? subject->_to_object() : nullptr;
    CORBA::ValueBase_var value = subject ? subject->_to_value() : nullptr;
    if (object.in()) text_ += "an object";
    else (*this)(value.in());
    return *this;
  }
  Shown& operator()(CORBA::TypeCode* type) {
    return (*this)(type->kind() == CORBA::tk_long ? "long" : type->id());
  }
  Shown& operator()(const CORBA::Any& any) {
    CORBA::Long number;
    Styles::Node* node;
    Styles::Described* subject;
    const char* string;
    const Styles::Holder* holder;
    CORBA::TypeCode* code;
    text_ += "any ";
    if (any >>= number) return (*this)(std::to_string(number).c_str());
    if (any >>= string) return (*this)(string);
    if (any >>= node) return (*this)(node);
    if (any >>= holder) return (*this)(*holder);
    if (any >>= code) return (*this)(code);
    if (any >>= subject) return (*this)(subject);
    CORBA::TypeCode_var type = any.type();
    return (*this)(type->kind() == CORBA::tk_null ? "nothing" : "something else");
  }
  Shown& operator()(const Styles::Bits& bits) {
    text_ += std::to_string(bits.low) + '/' + std::to_string(bits.high);
    return *this;
  }
  Shown& operator()(const Styles::Holder& h) {
    text_ += '{';
    return (*this)(h.content)(", ")(h.first.in())(", ")(h.subject.in())(", ")(h.flags)("}");
  }
  Shown& operator()(const Styles::Holders& all) {
    if (all.length() == 0) text_ += "none";
    for (CORBA::ULong i = 0; i < all.length(); ++i) (*this)(all[i]);
    return *this;
  }
  Shown& operator()(const Styles::Content& content) {
    switch (content._d()) {
      case 1:
        return (*this)(content.everything());
      case 2:
        return (*this)(content.single());
      case 3:
        return (*this)(content.code());
      case 4:
        return (*this)(content.subject());
      default:
        return (*this)("no member");
    }
  }
  const std::string& text() const { return text_; }

 private:
  // True if it has not been seen before.
  bool number(const void* value) {
    std::size_t n = 0;
    while (n < seen_.size() && seen_[n] != value) ++n;
    text_ += '#' + std::to_string(n);
    if (n < seen_.size()) return false;
    seen_.push_back(value);
    return true;
  }
  std::string text_;
  std::vector<const void*> seen_;
};

// ---- the server

template <typename T>
T* counted(T* value) {
  if (value) value->_add_ref();
  return value;
}
Styles::Described* counted(Styles::Described* subject) { return Styles::Described::_duplicate(subject); }
CORBA::TypeCode* counted(CORBA::TypeCode* type) { return CORBA::TypeCode::_duplicate(type); }

template <typename Skeleton>
class Servant : public Skeleton {
 public:
  CORBA::Any* pass_any(const CORBA::Any& a, CORBA::Any& b, CORBA::Any_out c) override { return on(a, b, c); }
  CORBA::TypeCode* pass_code(CORBA::TypeCode* a, CORBA::TypeCode*& b, CORBA::TypeCode_out c) override {
    return on(a, b, c);
  }
  Styles::Node* pass_node(Styles::Node* a, Styles::Node*& b, Styles::Node_out c) override {
    return on(a, b, c);
  }
  Styles::Label* pass_label(Styles::Label* a, Styles::Label*& b, Styles::Label_out c) override {
    return on(a, b, c);
  }
  CORBA::ValueBase* pass_base(CORBA::ValueBase* a, CORBA::ValueBase*& b, CORBA::ValueBase_out c) override {
    return on(a, b, c);
  }
  Styles::Described* pass_described(Styles::Described* a, Styles::Described*& b,
                                    Styles::Described_out c) override {
    return on(a, b, c);
  }
  Styles::Bits pass_bits(const Styles::Bits& a, Styles::Bits& b, Styles::Bits& c) override {
    c = a;
    std::swap(b, c);
    return c;
  }
  Styles::Holder* pass_holder(const Styles::Holder& a, Styles::Holder& b, Styles::Holder_out c) override {
    return on(a, b, c);
  }
  Styles::Holders* pass_holders(const Styles::Holders& a, Styles::Holders& b,
                                Styles::Holders_out c) override {
    return on(a, b, c);
  }
  Styles::Content* pass_content(const Styles::Content& a, Styles::Content& b,
                                Styles::Content_out c) override {
    return on(a, b, c);
  }
  CORBA::Any* mix(const CORBA::Any& a, Styles::Node* b, Styles::Node_out c, Styles::Holder_out d) override {
    c = counted(b);
    Styles::Holder_var holder = new Styles::Holder;
    holder->content = a;
    holder->first = counted(b);
    holder->flags.low = 2;
    holder->flags.high = 1;
    d = holder._retn();
    return new CORBA::Any(a);
  }
  void tear(const CORBA::Any& a, Styles::Node* b) override {
    Styles::Torn torn;
    torn.what = a;
    torn.one = counted(b);
    torn.other = counted(b);
    throw torn;
  }
  void note(const CORBA::Any& a, Styles::Node* b, Styles::Node* c) override {
    noted_ = Shown()(a)(", ")(b)(", ")(c).text();
  }
  char* noted() override { return CORBA::string_dup(noted_.c_str()); }
  char* told(CORBA::Long a, CORBA::Context_ptr context) override {
    corbel::cdr::Encoder out;
    out.reset();
    const char* const all[] = {"*"};
    corbel::cpp::put_context(out, context, all, 1);
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    CORBA::ULong count;
    std::string text = std::to_string(a);
    const char* part;
    if (in.get(count))
      for (CORBA::ULong i = 0; i < count && in.get_string_view(part); ++i) text.append(" ").append(part);
    return CORBA::string_dup(text.c_str());
  }

 private:
  // Gives b; b and c become a.
  template <typename T, typename Out>
  static T* on(const T& a, T& b, Out& c) {
    T* const result = new T(b);
    b = a;
    c = new T(a);
    return result;
  }
  template <typename T, typename Out>
  static T* on(T* a, T*& b, Out& c) {
    T* const result = b;
    b = counted(a);
    c = counted(a);
    return result;
  }
  std::string noted_;
};

template <typename Skeleton>
void activate(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
  PortableServer::ServantBase_var servant = new Servant<Skeleton>;
  PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  CORBA::Object_var object = poa->id_to_reference(id.in());
  CORBA::String_var ior = orb->object_to_string(object);
  std::cout << ior.in() << std::endl;
}

int serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  activate<POA_Styles::Code>(orb, poa);
  activate<POA_Styles::Programs>(orb, poa);
  while (std::cin.get() != EOF) continue;
  return 0;
}

// ---- the client

Styles::Node* node(CORBA::Long id, Styles::Node* next = nullptr) {
  auto* const n = new OBV_Styles::Node;
  n->id(id);
  n->next(next);
  return n;
}

template <typename I>
class Caller {
 public:
  Caller(CORBA::ORB_ptr orb, const char* ior) {
    CORBA::Object_var object = orb->string_to_object(ior);
    it_ = I::_unchecked_narrow(object);
    object = orb->string_to_object("corbaloc::127.0.0.1:1/thing");
    thing_ = Styles::Thing::_unchecked_narrow(object);
    note_ = new Note;
    note_->text("a note");
    one_ = node(1), two_ = node(2, one_.in()), three_ = node(3, two_.in());
    context_ = new CORBA::Context("told", nullptr);
    CORBA::Any text;
    text <<= "ann";
    context_->set_one_value("user", text);
    context_->set_one_value("secret", text);
    context_->set_one_value("language", text);
  }

  void all() {
    CORBA::Any anys[8];
    anys[1] <<= CORBA::Long(7);
    anys[2] <<= "some text";
    anys[3] <<= three_.in();
    anys[4] <<= one_.in();
    anys[5] <<= holder(anys[3], two_.in(), note_.in());
    anys[6] <<= Styles::_tc_Node;
    anys[7] <<= static_cast<Styles::Described*>(note_.in());
    for (std::size_t i = 0; i < 8; ++i) pass<CORBA::Any_var>("any", &I::pass_any, anys[i], anys[(i + 1) % 8]);
    pass<CORBA::TypeCode_var>("code", &I::pass_code, Styles::_tc_Node, Styles::_tc_Holder);
    pass<CORBA::TypeCode_var>("code", &I::pass_code, CORBA::_tc_long, Styles::_tc_Node);
    pass<Styles::Node_var>("node", &I::pass_node, three_.in(), one_.in());
    pass<Styles::Node_var>("node", &I::pass_node, two_.in(), two_.in());
    pass<Styles::Node_var>("node", &I::pass_node, none<Styles::Node>(), one_.in());
    Styles::Label_var label = new Styles::Label("a label"), other = new Styles::Label("another");
    pass<Styles::Label_var>("label", &I::pass_label, label.in(), other.in());
    pass<Styles::Label_var>("label", &I::pass_label, label.in(), label.in());
    pass<CORBA::ValueBase_var>("base", &I::pass_base, base(label.in()), base(three_.in()));
    pass<CORBA::ValueBase_var>("base", &I::pass_base, none<CORBA::ValueBase>(), base(note_.in()));
    pass<Styles::Described_var>("described", &I::pass_described, subject(thing_.in()), subject(note_.in()));
    pass<Styles::Described_var>("described", &I::pass_described, subject(note_.in()), subject(note_.in()));
    pass<Styles::Described_var>("described", &I::pass_described, none<Styles::Described>(),
                                subject(thing_.in()));
    bits();
    const Styles::Holder first = holder(anys[3], one_.in(), note_.in()),
                         second = holder(anys[1], none<Styles::Node>(), thing_.in());
    pass<Styles::Holder_var>("holder", &I::pass_holder, first, second);
    pass<Styles::Holder_var>("holder", &I::pass_holder, first, first);
    Styles::Holders both, empty;
    both.length(2);
    both[0] = first;
    both[1] = second;
    pass<Styles::Holders_var>("holders", &I::pass_holders, both, both);
    pass<Styles::Holders_var>("holders", &I::pass_holders, empty, both);
    Styles::Content contents[5];
    contents[0].everything(anys[4]);
    contents[1].single(one_.in());
    contents[2].code(Styles::_tc_Content);
    contents[3].subject(note_.in());
    contents[4]._default();
    for (std::size_t i = 0; i < 5; ++i)
      pass<Styles::Content_var>("content", &I::pass_content, contents[i], contents[(i + 1) % 5]);
    mix(anys[4]);
    tear(anys[3]);
    attempt("note", [&](Shown& shown) {
      it_->note(anys[3], two_.in(), three_.in());
      shown("sent");
    });
    attempt("noted", [&](Shown& shown) {
      CORBA::String_var text = it_->noted();
      shown(text.in());
    });
    for (CORBA::Context_ptr context : {context_.in(), CORBA::Context::_nil()})
      attempt("told", [&](Shown& shown) {
        CORBA::String_var text = it_->told(5, context);
        shown(text.in());
      });
    std::cout << std::endl;
  }

 private:
  template <typename T>
  static T* none() {
    return nullptr;
  }
  static CORBA::ValueBase* base(CORBA::ValueBase* value) { return value; }
  static Styles::Described* subject(Styles::Described* s) { return s; }
  static Styles::Holder holder(const CORBA::Any& content, Styles::Node* first, Styles::Described* subject) {
    Styles::Holder h;
    h.content = content;
    h.first = counted(first);
    h.subject = counted(subject);
    h.flags.low = 5;
    h.flags.high = 100;
    return h;
  }

  template <typename Call>
  void attempt(const char* name, const Call& call) {
    Shown shown;
    try {
      call(shown);
    } catch (const CORBA::Exception& e) {
      shown(" ")(e._name());
    }
    std::cout << name << ' ' << shown.text() << '\n';
  }

  template <typename Var, typename Operation, typename T>
  void pass(const char* name, Operation operation, const T& a, const T& b) {
    attempt(name, [&](Shown& shown) {
      if constexpr (std::is_pointer_v<T>) {
        Var inout = counted(b), out, result = ((*it_.in()).*operation)(a, inout.inout(), out.out());
        shown(result.in())("; ")(inout.in())("; ")(out.in());
      } else {
        T inout = b;
        Var out, result = ((*it_.in()).*operation)(a, inout, out.out());
        shown(result.in())("; ")(inout)("; ")(out.in());
      }
    });
  }
  void bits() {
    attempt("bits", [&](Shown& shown) {
      Styles::Bits a{}, b{}, c{};
      a.low = 7, a.high = 127, b.low = 1, b.high = 64;
      const Styles::Bits result = it_->pass_bits(a, b, c);
      shown(result)("; ")(b)("; ")(c);
    });
  }
  void mix(const CORBA::Any& any) {
    attempt("mix", [&](Shown& shown) {
      Styles::Node_var c;
      Styles::Holder_var d;
      CORBA::Any_var result = it_->mix(any, two_.in(), c.out(), d.out());
      shown(result.in())("; ")(c.in())("; ")(d.in());
    });
  }
  void tear(const CORBA::Any& any) {
    attempt("tear", [&](Shown& shown) {
      try {
        it_->tear(any, two_.in());
      } catch (const Styles::Torn& torn) {
        shown("torn: ")(torn.what)("; ")(torn.one.in())("; ")(torn.other.in());
      }
    });
  }

  typename I::_var_type it_;
  Styles::Thing_var thing_;
  Styles::Note_var note_;
  Styles::Node_var one_, two_, three_;
  CORBA::Context_var context_;
};

template <typename I>
int call(CORBA::ORB_ptr orb, const char* ior) {
  Caller<I> caller(orb, ior);
  for (std::string line; std::getline(std::cin, line);) caller.all();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "peer");
    add_factory<OBV_Styles::Node>(orb, "IDL:Styles/Node:1.0");
    add_factory<Note>(orb, "IDL:Styles/Note:1.0");
    if (argc == 2 && std::strcmp(argv[1], "serve") == 0) return serve(orb);
    if (argc != 4 || std::strcmp(argv[1], "call") != 0) return 2;
    return std::strcmp(argv[2], "Code") == 0 ? call<Styles::Code>(orb, argv[3])
                                             : call<Styles::Programs>(orb, argv[3]);
  } catch (const std::exception& e) {
    std::cout << "wrong " << e.what() << '\n';
    return 1;
  }
}
