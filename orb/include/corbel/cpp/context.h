// CORBA::Context (OMG C++ mapping 1.3, "Context"): properties that operations with a context clause take
// along.
//
// set_values and get_values are in the library Corbel::dynamic, since they need NVList. A context belongs to
// one thread at a time.
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/orb.h>

namespace CORBA {

// get_values looks at one context alone.
constexpr Flags CTX_RESTRICT_SCOPE = 15;

class [[gnu::visibility("default")]] Context {
 public:
  typedef Context_ptr _ptr_type;
  typedef Context_var _var_type;
  static Context_ptr _duplicate(Context_ptr context) { return corbel::cpp::duplicate(context); }
  static Context_ptr _nil() { return nullptr; }

  // Both stay the context's.
  const char* context_name() const;
  Context_ptr parent() const { return parent_.in(); }
  // What it does not know it asks its parent for.
  void create_child(const char* name, Context_out child);
  // BAD_PARAM if the value is no string.
  void set_one_value(const char* property, const Any& value);
  // The same for each item of the list, or for none.
  void set_values(NVList* values);
  // A "*" at the end stands for any rest. BAD_CONTEXT, OMG minor 2, if there is none.
  void delete_values(const char* property);
  // So does get_values, and looks at the parents, too, from the one that is called `start_scope` on; null or
  // empty is this one. BAD_CONTEXT, OMG minor 1, if there is no such one. The list belongs to the caller.
  void get_values(const char* start_scope, Flags flags, const char* property,
                  corbel::cpp::ObjectOut<NVList> values);

  // For the ORB.
  struct Properties;
  Context(const char* name, Context_ptr parent);
  const Properties& _corbel_properties() const { return *properties_; }
  void _corbel_set(const char* property, const char* value);
  void _corbel_add_ref();
  void _corbel_remove_ref();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

 private:
  ~Context();
  String_var name_;
  Context_var parent_;
  Properties* properties_;
  ULong count_ = 1;
};

inline void release(Context* context) { corbel::cpp::drop(context); }
inline Boolean is_nil(Context* context) { return context == nullptr; }

}  // namespace CORBA

namespace corbel::cpp {

// Writes the properties that a context clause names, as pairs of strings. Nil has none.
[[gnu::visibility("default")]] void put_context(cdr::Encoder& out, CORBA::Context_ptr context,
                                                const char* const* patterns, std::uint32_t count);
// Reads them into a context of their own. False if malformed.
[[gnu::visibility("default")]] bool get_context(cdr::Decoder& in, CORBA::Context_var& context);

}  // namespace corbel::cpp

// What marshal programs (corbel/cpp/programs.h) do with them: stubs write those of Patterns, a table.
namespace corbel::cpp::programs {

template <const auto& Patterns>
struct WrittenContext {
  static void put(cdr::Encoder& out, const void* value) {
    put_context(out, *static_cast<CORBA::Context* const*>(value), Patterns,
                sizeof Patterns / sizeof *Patterns);
  }
};
template <typename T>
struct ReadContext {
  static bool get(cdr::Decoder& in, void* value) {
    CORBA::Context_var context;
    if (!get_context(in, context)) return false;
    *static_cast<T**>(value) = context._retn();
    return true;
  }
  static void destruct(void* value, bool) { drop(static_cast<T*>(value)); }
};

}  // namespace corbel::cpp::programs
