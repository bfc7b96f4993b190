#include "compiler/backends/compiled/coder.h"

#include <algorithm>

namespace corbel::idl::compiled {
namespace {

using mint::Kind;
using pres::Type;

std::string at_offset(const std::string& p, std::uint32_t offset) {
  return offset == 0 ? p : fmt::format("{} + {}", p, offset);
}

// The first scalar of an array of any dimensions.
std::string first_of(const std::string& array, const Type& type) {
  std::string first = "&" + array;
  for (std::size_t i = 0; i < type.dimensions.size(); ++i) first += "[0]";
  return first;
}

// Follows a leaf's path through structs inside structs.
struct Found {
  std::string value;
  const Type* type;
};
Found find(const plan::Leaf& leaf, const std::vector<pres::Member>& members, const Places& place) {
  Found f{place(leaf.path[0]), members[leaf.path[0]].type};
  for (std::size_t i = 1; i < leaf.path.size(); ++i) {
    const pres::Member& m = f.type->declaration->members[leaf.path[i]];
    f.value += "." + m.name;
    f.type = m.type;
  }
  return f;
}

}  // namespace

Names in_functions() { return {"out", "in", "", "", "return false;"}; }
Names in_operations(const std::string& fail) { return {"_out", "_in", "_", "corbel::cdr::", fail}; }

bool Coder::primitive(const Type& type) const {
  switch (node(type).kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
    case Kind::Integer:
      return true;
    case Kind::Float:
      return node(type).bits <= 64;  // long double is converted
    default:
      return false;
  }
}

bool Coder::struct_run(const Type& type) const {
  return node(type).kind == Kind::Struct && part(type).same_as_host;
}

bool Coder::encodes_as_struct_run(const Type& type) const {
  return node(type).kind == Kind::Struct && part(type).encodes_as_host;
}

void Coder::check(const std::string& condition) { w_.line("if (!{}) {}", condition, names_.fail); }

std::string Coder::wire_type(const Type& type) const {
  switch (node(type).kind) {
    case Kind::Boolean:
      return "CORBA::Octet";
    case Kind::Enum:
      return "CORBA::ULong";
    default:
      return type.target;
  }
}

std::string Coder::local(const char* name, int depth) const {
  return names_.own + name + (depth == 0 ? "" : fmt::format("{}", depth + 1));
}

template <typename Each>
void Coder::each_element(std::string value, const Type& array, int depth, const Each& each) {
  for (const auto d : array.dimensions) {
    const std::string i = local("i", depth++);
    w_.open("for (std::size_t {0} = 0; {0} < {1}; ++{0}) {{", i, d);
    value += "[" + i + "]";
  }
  each(value, depth);
  for (std::size_t d = 0; d < array.dimensions.size(); ++d) w_.close();
}

// ---- one value

void Coder::encode(const std::string& value, const Type& type, int depth) {
  const std::string& out = names_.out;
  const mint::Node& n = node(type);
  switch (n.kind) {
    case Kind::Void:
      return;
    case Kind::Boolean:
      return w_.line("{}.put_boolean({});", out, value);
    case Kind::Value:
      return w_.line("corbel::cpp::put_value({}, {});", out, value);
    case Kind::Abstract:
      return w_.line("corbel::cpp::put_abstract({}, {});", out, value);
    case Kind::Char:
      return w_.line("{}.put_char({});", out, value);
    case Kind::WChar:
      return w_.line("corbel::cpp::put_wchar({}, {});", out, value);
    case Kind::WString:
      return w_.line(n.bound != 0 ? fmt::format("corbel::cpp::put_wstring({}, {}, {});", out, value, n.bound)
                                  : fmt::format("corbel::cpp::put_wstring({}, {});", out, value));
    case Kind::Float:
      if (n.bits > 64) return w_.line("corbel::cpp::put_long_double({}, {});", out, value);
      [[fallthrough]];
    case Kind::Octet:
    case Kind::Integer:
    case Kind::Enum:
      return w_.line("{}.put<{}>({});", out, wire_type(type), value);
    case Kind::String:
      return w_.line(n.bound != 0 ? fmt::format("{}.put_string({}, {});", out, value, n.bound)
                                  : fmt::format("{}.put_string({});", out, value));
    case Kind::Reference:
      return w_.line("corbel::cpp::put_object({}, {});", out, value);
    case Kind::Sequence:
      if (!type.functions) return encode_sequence(value, type, depth);
      break;
    case Kind::Array:
      if (character(*type.element))
        return w_.line("{}.run_chars({}, {});", out, first_of(value, type), n.bound);
      if (primitive(*type.element) && part(*type.element).encodes_as_host)
        return w_.line("{}.run<{}>({}, {});", out, part(*type.element).align, value, part(type).host_size);
      return each_element(value, type, depth,
                          [&](const std::string& e, int d) { encode(e, *type.element, d); });
    default:  // has marshal() and unmarshal()
      break;
  }
  w_.line("{}marshal({}, {});", names_.cdr, out, value);
}

void Coder::encode_sequence(const std::string& value, const Type& type, int depth) {
  const Type& e = *type.element;
  const std::string n = local("n", depth), v = local("v", depth), i = local("i", depth);
  if (character(e)) return w_.line("{}.put_chars({}.get_buffer(), {}.length());", names_.out, value, value);
  if (primitive(e) && part(e).encodes_as_host)
    return w_.line("{}.put_run({}.get_buffer(), {}.length(), {});", names_.out, value, value,
                   part(e).host_size);
  const bool block = depth != 0 || value != "value";  // the body of a sequence's own function needs none
  if (block) w_.open("{{");
  w_.line("const CORBA::ULong {} = {}.length();", n, value);
  w_.line("{}.put<CORBA::ULong>({});", names_.out, n);
  if (encodes_as_struct_run(e)) {
    w_.line("corbel::cpp::put_struct_run({}, {}.get_buffer(), {});", names_.out, value, n);
  } else {
    w_.line("const auto* const {} = {}.get_buffer();", v, value);
    w_.open("for (CORBA::ULong {0} = 0; {0} < {1}; ++{0}) {{", i, n);
    encode(fmt::format("{}[{}]", v, i), e, depth + 1);
    w_.close();
  }
  if (block) w_.close();
}

void Coder::decode(const std::string& value, const Type& type, int depth) {
  const std::string& in = names_.in;
  const mint::Node& n = node(type);
  switch (n.kind) {
    case Kind::Void:
      return;
    case Kind::Boolean:
      return check(fmt::format("{}.get_boolean({})", in, value));
    case Kind::Value:
      return check(fmt::format("corbel::cpp::get_value({}, {})", in, value));
    case Kind::Abstract:
      return check(fmt::format("corbel::cpp::get_abstract({}, {})", in, value));
    case Kind::Char:
      return check(fmt::format("{}.get_char({})", in, value));
    case Kind::WChar:
      return check(fmt::format("corbel::cpp::get_wchar({}, {})", in, value));
    case Kind::WString:
      return check(n.bound != 0 ? fmt::format("corbel::cpp::get_wstring({}, {}, {})", in, value, n.bound)
                                : fmt::format("corbel::cpp::get_wstring({}, {})", in, value));
    case Kind::Float:
      if (n.bits > 64) return check(fmt::format("corbel::cpp::get_long_double({}, {})", in, value));
      [[fallthrough]];
    case Kind::Octet:
    case Kind::Integer:
      return check(fmt::format("{}.get({})", in, value));
    case Kind::Enum:
      return check(fmt::format("{}.get_enum({}, {})", in, value, n.bound));
    case Kind::String:
      return check(n.bound != 0 ? fmt::format("corbel::cpp::get_string({}, {}, {})", in, value, n.bound)
                                : fmt::format("corbel::cpp::get_string({}, {})", in, value));
    case Kind::Reference:
      return check(fmt::format("corbel::cpp::get_reference({}, {})", in, value));
    case Kind::Sequence:
      if (!type.functions) return decode_sequence(value, type, depth);
      break;
    case Kind::Array:
      if (copyable(*type.element))
        return check(fmt::format("{}.{}({}, {})", in, character(*type.element) ? "get_chars" : "get_run",
                                 first_of(value, type), n.bound));
      return each_element(value, type, depth,
                          [&](const std::string& e, int d) { decode(e, *type.element, d); });
    default:
      break;
  }
  check(fmt::format("{}unmarshal({}, {})", names_.cdr, in, value));
}

void Coder::decode_sequence(const std::string& value, const Type& type, int depth) {
  const Type& e = *type.element;
  const std::uint32_t bound = node(type).bound;
  const std::string n = local("n", depth), v = local("v", depth), i = local("i", depth);
  const bool block = depth != 0 || value != "value";
  if (block) w_.open("{{");
  w_.line("CORBA::ULong {};", n);
  check(fmt::format("{}.get_length({}, {}{})", names_.in, n, std::max(1u, part(e).least),
                    bound != 0 ? fmt::format(", {}", bound) : ""));
  const bool run = copyable(e) && node(e).kind != Kind::Boolean;
  if (!run || character(e)) w_.line("auto* const {} = {}._corbel_overwrite({});", v, value, n);
  if (node(e).kind == Kind::Boolean) {
    check(fmt::format("{}.get_boolean_run({}, {})", names_.in, v, n));
  } else if (run) {
    check(character(e) ? fmt::format("{}.get_chars({}, {})", names_.in, v, n)
                       : fmt::format("corbel::cpp::get_run({}, {}, {})", names_.in, value, n));
  } else if (struct_run(e)) {
    check(fmt::format("corbel::cpp::get_struct_run({}, {}, {})", names_.in, v, n));
  } else {
    w_.open("for (CORBA::ULong {0} = 0; {0} < {1}; ++{0}) {{", i, n);
    decode(fmt::format("{}[{}]", v, i), e, depth + 1);
    w_.close();
  }
  if (block) w_.close();
}

// ---- members, in chunks

void Coder::store_leaf(const std::string& at, const std::string& value, const Type& type) {
  if (node(type).kind == Kind::Array) {
    w_.line("std::memcpy({}, {}, {});", at, value, part(type).host_size);
    if (character(*type.element))
      w_.line("if ({0}.converts_chars()) {0}.convert_chars({1}, {2});", names_.out, at, part(type).host_size);
    return;
  }
  if (character(type)) return w_.line("{}.store_char({}, {});", names_.out, at, value);
  w_.line("{}store<{}>({}, {});", names_.cdr, wire_type(type), at, value);
}

void Coder::load_leaf(const std::string& at, const std::string& value, const Type& type) {
  const mint::Node& n = node(type);
  const std::string swap = names_.in + ".swap()";
  switch (n.kind) {
    case Kind::Array:
      w_.line("std::memcpy({}, {}, {});", value, at, part(type).host_size);
      if (part(*type.element).host_size > 1)
        w_.line("if ({}) {}swap_run<{}>({}, {});", swap, names_.cdr, part(*type.element).host_size, value,
                n.bound);
      if (character(*type.element))
        check(fmt::format("(!{0}.converts_chars() || {0}.convert_chars({1}, {2}))", names_.in,
                          first_of(value, type), n.bound));
      return;
    case Kind::Char:
      return check(fmt::format("{}.load_char({}, {})", names_.in, at, value));
    case Kind::Boolean:
      return check(fmt::format("{}load_boolean({}, {})", names_.cdr, at, value));
    case Kind::Enum:
      return check(fmt::format("{}load_enum({}, {}, {}, {})", names_.cdr, at, swap, value, n.bound));
    default:
      return w_.line("{0} = {1}load<{2}>({3}, {4});", value, names_.cdr, type.target, at, swap);
  }
}

void Coder::encode_members(mint::Id body, const std::vector<pres::Member>& members, const Places& place) {
  const std::string p = names_.own + "to";
  bool declared = false;
  for (const plan::Step& s : in_.plan[body].steps) {
    if (s.leaves.empty()) {
      encode(place(s.member), *members[s.member].type);
      continue;
    }
    if (s.leaves.size() == 1) {
      const Found f = find(s.leaves[0], members, place);
      encode(f.value, *f.type);
      continue;
    }
    w_.line("{}{} = {}.chunk<{}>({});", declared ? "" : "char* ", p, names_.out, s.align, s.size);
    declared = true;
    std::uint32_t at = 0;
    for (const plan::Leaf& l : s.leaves) {
      const Found f = find(l, members, place);
      if (l.offset > at) w_.line("std::memset({}, 0, {});", at_offset(p, at), l.offset - at);
      store_leaf(at_offset(p, l.offset), f.value, *f.type);
      at = l.offset + l.size;
    }
  }
}

void Coder::decode_members(mint::Id body, const std::vector<pres::Member>& members, const Places& place,
                           const std::function<void(std::uint32_t)>& alone) {
  const std::string p = names_.own + "from";
  bool declared = false;
  for (const plan::Step& s : in_.plan[body].steps) {
    if (s.leaves.empty()) {
      if (alone) alone(s.member);
      else decode(place(s.member), *members[s.member].type);
      continue;
    }
    if (s.leaves.size() == 1) {
      const Found f = find(s.leaves[0], members, place);
      decode(f.value, *f.type);
      continue;
    }
    // Before the chunks: a place may have to be declared.
    std::vector<Found> found;
    for (const plan::Leaf& l : s.leaves) found.push_back(find(l, members, place));
    for (std::size_t first = 0, end; first < found.size(); first = end) {
      // Borders of fragments and of values' chunks, which may come between any two members, move what is
      // aligned to 8, or to more than what was before: it begins a chunk of its own.
      const auto stays = [&](std::size_t i) {
        const std::uint32_t align = part(*found[i].type).align;
        return align < 8 && align <= part(*found[i - 1].type).align;
      };
      for (end = first + 1; end < found.size() && stays(end);) ++end;
      if (end == first + 1) {
        decode(found[first].value, *found[first].type);
        continue;
      }
      const std::uint32_t begin = s.leaves[first].offset;
      w_.line("{}{} = {}.chunk<{}>({});", declared ? "" : "const char* ", p, names_.in,
              first == 0 ? s.align : part(*found[first].type).align,
              s.leaves[end - 1].offset + s.leaves[end - 1].size - begin);
      declared = true;
      check(p);
      for (std::size_t i = first; i < end; ++i)
        load_leaf(at_offset(p, s.leaves[i].offset - begin), found[i].value, *found[i].type);
    }
  }
}

}  // namespace corbel::idl::compiled
