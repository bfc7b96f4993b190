#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {
namespace {

// What IDL 4.2 declares ("Standardized Annotations"), and how many arguments they take at most.
struct Standard {
  std::string_view name;
  int most;
};
constexpr auto kStandard = std::to_array<Standard>({{"id", 1},
                                                    {"autoid", 1},
                                                    {"optional", 1},
                                                    {"position", 1},
                                                    {"value", 1},
                                                    {"extensibility", 1},
                                                    {"final", 0},
                                                    {"appendable", 0},
                                                    {"mutable", 0},
                                                    {"key", 1},
                                                    {"must_understand", 1},
                                                    {"default_literal", 0},
                                                    {"default", 1},
                                                    {"range", 2},
                                                    {"min", 1},
                                                    {"max", 1},
                                                    {"unit", 1},
                                                    {"bit_bound", 1},
                                                    {"external", 1},
                                                    {"nested", 1},
                                                    {"verbatim", 3},
                                                    {"service", 1},
                                                    {"oneway", 1},
                                                    {"ami", 1},
                                                    {"hashid", 1},
                                                    {"default_nested", 1},
                                                    {"ignore_literal_names", 1},
                                                    {"try_construct", 1},
                                                    {"non_serialized", 1},
                                                    {"data_representation", 1},
                                                    {"topic", 2}});

}  // namespace

// Those that stand here, kept for the declaration that follows.
void Parser::annotations() {
  while (peek().is("@")) annotation();
}

std::vector<aoi::Annotation> Parser::take_annotations() { return std::exchange(annotations_, {}); }

// @name, @a::name(value), @name(a = 1, b = 2)
void Parser::annotation() {
  const Token at = take();
  aoi::Annotation a;
  accept("::");
  do {
    // Keywords are names here: @default, @oneway.
    if (peek().type != Token::Type::Identifier) syntax_error("the annotation's name");
    a.name += (a.name.empty() ? "" : "::") + take().text;
  } while (accept("::"));
  a.span = {at.span.file, at.span.begin, last_.span.end};
  if (accept("(")) {
    while (!peek().is(")")) {
      std::string name;
      if (peek().type == Token::Type::Identifier && peek_second().is("=")) {
        name = take().text;
        take();
      }
      a.arguments.emplace_back(std::move(name), annotation_value());
      if (!accept(",")) break;
    }
    expect(")", "behind the annotation's arguments");
  }
  const auto known =
      std::find_if(kStandard.begin(), kStandard.end(), [&](const Standard& s) { return s.name == a.name; });
  if (known != kStandard.end() && static_cast<int>(a.arguments.size()) > known->most)
    report(Kind::BadAnnotation, a.span,
           fmt::format("@{} takes {} argument{}", a.name,
                       known->most == 0 ? "no" : fmt::format("up to {}", known->most),
                       known->most == 1 ? "" : "s"));
  annotations_.push_back(std::move(a));
}

// The text up to the ',' or ')' that ends it.
std::string Parser::annotation_value() {
  std::string text;
  for (int depth = 0; peek().type != Token::Type::End; take()) {
    if (depth == 0 && (peek().is(",") || peek().is(")"))) break;
    if (peek().is(";") || peek().is("{")) syntax_error("')' behind the annotation's arguments");
    depth += peek().is("(") ? 1 : peek().is(")") ? -1 : 0;
    const bool word = peek().type == Token::Type::Identifier;
    if (word && !text.empty() && text.back() != ':' && text.back() != '(' && text.back() != '-') text += ' ';
    text += peek().text;
  }
  if (text.empty()) syntax_error("a value");
  return text;
}

// @annotation name { members };
void Parser::annotation_type() {
  take();
  take();
  identifier("the annotation's name");
  expect("{", "to open the annotation");
  skip_statement(open_braces_ - 1);
  if (!last_.is(";")) accept(";");
}

}  // namespace corbel::idl::omg
