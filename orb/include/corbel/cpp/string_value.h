// The boxes of CORBA's own IDL (CORBA 3.4 part 1, "Standard Value Box Definitions").
#pragma once

#include <corbel/cpp/codec.h>
#include <corbel/cpp/string.h>
#include <corbel/cpp/value_box.h>
#include <corbel/cpp/wide.h>

namespace CORBA {

class StringValue;
typedef corbel::cpp::ValueVar<StringValue> StringValue_var;
typedef corbel::cpp::ValueOut<StringValue> StringValue_out;
class [[gnu::visibility("default")]] StringValue : public corbel::cpp::StringBox<StringValue> {
 public:
  using TextBox::TextBox;
  using TextBox::operator=;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:omg.org/CORBA/StringValue:1.0", nullptr,
                                                             false};
  void _corbel_put_state(corbel::cdr::Encoder& out) const override { out.put_string(_value()); }
  bool _corbel_get_state(corbel::cdr::Decoder& in) override {
    return corbel::cpp::get_string(in, _boxed_inout());
  }

 protected:
  ~StringValue() override = default;
};

class WStringValue;
typedef corbel::cpp::ValueVar<WStringValue> WStringValue_var;
typedef corbel::cpp::ValueOut<WStringValue> WStringValue_out;
class [[gnu::visibility("default")]] WStringValue : public corbel::cpp::WStringBox<WStringValue> {
 public:
  using TextBox::TextBox;
  using TextBox::operator=;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:omg.org/CORBA/WStringValue:1.0", nullptr,
                                                             false};
  void _corbel_put_state(corbel::cdr::Encoder& out) const override {
    corbel::cpp::put_wstring(out, _value());
  }
  bool _corbel_get_state(corbel::cdr::Decoder& in) override {
    return corbel::cpp::get_wstring(in, _boxed_inout());
  }

 protected:
  ~WStringValue() override = default;
};

}  // namespace CORBA
