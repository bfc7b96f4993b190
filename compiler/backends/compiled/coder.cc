#include "compiler/backends/compiled/coder.h"

#include "compiler/presentations/cpp/names.h"

namespace corbel::idl::compiled {
namespace {

using aoi::Basic;
using aoi::Type;
using pres::Passing;

bool is_basic(const Type* type) { return aoi::resolve(type)->kind == Type::Kind::Basic; }
bool is_enum(const Type* type) {
  const Type* const t = aoi::resolve(type);
  return t->kind == Type::Kind::Named && t->decl->kind == aoi::Decl::Kind::Enum;
}
std::size_t enumerators(const Type* type) {
  return static_cast<const aoi::Enum*>(aoi::resolve(type)->decl)->enumerators.size();
}
std::string index(int depth) {
  return "_" + std::string(1, static_cast<char>('i' + depth % 10)) +
         (depth >= 10 ? fmt::format("{}", depth / 10) : "");
}

}  // namespace

bool Coder::copyable(const Type* type) const { return is_basic(type) && part(type).same_as_host; }
bool Coder::encodes_as_run(const Type* type) const { return is_basic(type) && part(type).encodes_as_host; }
bool Coder::struct_run(const Type* type) const {
  const Type* const t = aoi::resolve(type);
  return t->kind == Type::Kind::Named && t->decl->kind == aoi::Decl::Kind::Struct && part(t).same_as_host;
}

void Coder::check(const std::string& condition) { w_.line("if (!{}) {}", condition, fail_); }

void Coder::encode(const std::string& value, const Type* type, int depth) {
  const Type* const t = aoi::resolve(type);
  switch (t->kind) {
    case Type::Kind::Basic:
      if (t->basic == Basic::Boolean) return w_.line("out.put_boolean({});", value);
      return w_.line("out.put<{}>({});", cpp::basic_name(t->basic), value);
    case Type::Kind::String:
      return w_.line(t->bound != 0 ? fmt::format("out.put_string({}, {});", value, t->bound)
                                   : fmt::format("out.put_string({});", value));
    case Type::Kind::Object:
      return w_.line("corbel::cpp::put_object(out, {});", value);
    case Type::Kind::Sequence:
      if (type->kind == Type::Kind::Named) return w_.line("corbel::cdr::marshal(out, {});", value);
      return encode_sequence(value, t, depth);
    case Type::Kind::Array: {
      if (encodes_as_run(t->element))
        return w_.line("out.run<{}>({}, {});", part(t->element).align, value, part(t).host_size);
      std::string element = value;
      for (std::size_t d = 0; d < t->dims.size(); ++d, ++depth) {
        w_.line("for (std::size_t {0} = 0; {0} < {1}; ++{0}) {{", index(depth), t->dims[d]);
        w_.indent();
        element += "[" + index(depth) + "]";
      }
      encode(element, t->element, depth);
      for (std::size_t d = 0; d < t->dims.size(); ++d) {
        w_.outdent();
        w_.line("}}");
      }
      return;
    }
    case Type::Kind::Named:
      break;
  }
  if (is_enum(t)) return w_.line("out.put<CORBA::ULong>({});", value);
  if (cpp::is_void(t)) return;
  if (pres::passing(t) == Passing::Reference) return w_.line("corbel::cpp::put_object(out, {});", value);
  w_.line("corbel::cdr::marshal(out, {});", value);
}

void Coder::encode_sequence(const std::string& value, const Type* t, int depth) {
  const Type* const e = aoi::resolve(t->element);
  const std::string n = fmt::format("_n{}", depth), i = index(depth);
  w_.line("{{");
  w_.indent();
  w_.line("const CORBA::ULong {} = ({}).length();", n, value);
  w_.line("out.put<CORBA::ULong>({});", n);
  if (encodes_as_run(e)) {
    w_.line("out.run<{}>(({}).get_buffer(), std::size_t{{{}}} * {});", part(e).align, value, n,
            part(e).host_size);
  } else if (struct_run(e)) {
    w_.line("corbel::cpp::put_struct_run(out, ({}).get_buffer(), {});", value, n);
  } else {
    w_.line("const auto* const _v{} = ({}).get_buffer();", depth, value);
    w_.line("for (CORBA::ULong {0} = 0; {0} < {1}; ++{0}) {{", i, n);
    w_.indent();
    encode(fmt::format("_v{}[{}]", depth, i), t->element, depth + 1);
    w_.outdent();
    w_.line("}}");
  }
  w_.outdent();
  w_.line("}}");
}

void Coder::decode(const std::string& value, const Type* type, int depth) {
  const Type* const t = aoi::resolve(type);
  switch (t->kind) {
    case Type::Kind::Basic:
      return check(t->basic == Basic::Boolean ? fmt::format("in.get_boolean({})", value)
                                              : fmt::format("in.get({})", value));
    case Type::Kind::String:
      return check(t->bound != 0 ? fmt::format("corbel::cpp::get_string(in, {}, {})", value, t->bound)
                                 : fmt::format("corbel::cpp::get_string(in, {})", value));
    case Type::Kind::Object:
      return check(fmt::format("corbel::cpp::get_reference(in, {})", value));
    case Type::Kind::Sequence:
      if (type->kind == Type::Kind::Named) return check(fmt::format("corbel::cdr::unmarshal(in, {})", value));
      return decode_sequence(value, t, depth);
    case Type::Kind::Array: {
      std::uint64_t all = 1;
      std::string first = value;
      for (const auto d : t->dims) all *= d, first += "[0]";
      if (copyable(t->element)) return check(fmt::format("in.get_run(&{}, {})", first, all));
      std::string element = value;
      for (std::size_t d = 0; d < t->dims.size(); ++d, ++depth) {
        w_.line("for (std::size_t {0} = 0; {0} < {1}; ++{0}) {{", index(depth), t->dims[d]);
        w_.indent();
        element += "[" + index(depth) + "]";
      }
      decode(element, t->element, depth);
      for (std::size_t d = 0; d < t->dims.size(); ++d) {
        w_.outdent();
        w_.line("}}");
      }
      return;
    }
    case Type::Kind::Named:
      break;
  }
  if (is_enum(t)) return check(fmt::format("in.get_enum({}, {})", value, enumerators(t)));
  if (pres::passing(t) == Passing::Reference)
    return check(fmt::format("corbel::cpp::get_reference(in, {})", value));
  check(fmt::format("corbel::cdr::unmarshal(in, {})", value));
}

void Coder::decode_sequence(const std::string& value, const Type* t, int depth) {
  const Type* const e = aoi::resolve(t->element);
  const std::string n = fmt::format("_n{}", depth), v = fmt::format("_v{}", depth), i = index(depth);
  w_.line("{{");
  w_.indent();
  w_.line("CORBA::ULong {};", n);
  check(fmt::format("in.get_length({}, {}{})", n, std::max(1u, part(e).least),
                    t->bound != 0 ? fmt::format(", {}", t->bound) : ""));
  w_.line("auto* const {} = ({})._corbel_overwrite({});", v, value, n);
  if (is_basic(e) && e->basic == Basic::Boolean) {
    check(fmt::format("in.get_boolean_run({}, {})", v, n));
  } else if (copyable(e)) {
    check(fmt::format("in.get_run({}, {})", v, n));
  } else if (struct_run(e)) {
    check(fmt::format("corbel::cpp::get_struct_run(in, {}, {})", v, n));
  } else {
    w_.line("for (CORBA::ULong {0} = 0; {0} < {1}; ++{0}) {{", i, n);
    w_.indent();
    decode(fmt::format("{}[{}]", v, i), t->element, depth + 1);
    w_.outdent();
    w_.line("}}");
  }
  w_.outdent();
  w_.line("}}");
}

}  // namespace corbel::idl::compiled
