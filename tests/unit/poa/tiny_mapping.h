// A second language mapping, complete for its one interface: void nothing() and string echo(in string). What
// it includes proves that core and adapters know no mapping.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <string>

#include <corbel/core/invocation.h>
#include <corbel/core/upcall.h>

namespace tiny {

inline constexpr const char* kId = "IDL:Tiny:1.0";
inline constexpr corbel::core::Operation kNothing{"nothing", 7, false};
inline constexpr corbel::core::Operation kEcho{"echo", 4, false};

// ---- the client's side: results are values, there are no exceptions

inline corbel::SystemError nothing(corbel::core::Reference& target) {
  corbel::SystemError error;
  corbel::core::Invocation* const call = corbel::core::Invocation::begin(target, kNothing, error);
  if (!call) return error;
  corbel::core::ReplyKind kind;
  error = call->invoke(kind);
  call->end();
  return error;
}

inline corbel::SystemError echo(corbel::core::Reference& target, const std::string& text,
                                std::string& result) {
  corbel::SystemError error;
  corbel::core::Invocation* const call = corbel::core::Invocation::begin(target, kEcho, error);
  if (!call) return error;
  call->arguments().put_string(text.c_str());
  corbel::core::ReplyKind kind;
  error = call->invoke(kind);
  const char* view = nullptr;
  if (!error && !call->results().get_string_view(view))
    error = {corbel::SystemErrorId::MARSHAL, corbel::Completion::Yes, 0, nullptr};
  if (!error) result = view;
  call->end();
  return error;
}

// ---- the server's side: an object on anybody's stack or heap that counts who holds it

class Servant final : public corbel::core::Servant {
 public:
  Servant() : corbel::core::Servant(kFunctions) {}
  // Runs inside every upcall.
  std::function<void()> during;

  int holders() const { return holders_.load(); }
  int calls() const { return calls_.load(); }

 private:
  std::atomic<int> holders_{0};
  std::atomic<int> calls_{0};

  static Servant& of(corbel::core::Servant& servant) { return static_cast<Servant&>(servant); }

  static void dispatch(corbel::core::Servant& servant, corbel::core::Upcall& call) {
    Servant& self = of(servant);
    self.calls_.fetch_add(1);
    if (self.during) self.during();
    const char* text;
    if (std::strcmp(call.operation(), kNothing.name) == 0) {
      call.results();
    } else if (std::strcmp(call.operation(), kEcho.name) != 0) {
      call.system_exception({corbel::SystemErrorId::BAD_OPERATION, corbel::Completion::No, 0, nullptr});
    } else if (call.arguments().get_string_view(text)) {
      call.results().put_string(text);
    } else {
      call.system_exception({corbel::SystemErrorId::MARSHAL, corbel::Completion::No, 0, nullptr});
    }
  }

  static const Functions kFunctions;
};

inline const Servant::Functions Servant::kFunctions = {
    dispatch,
    [](corbel::core::Servant&, const char* id) { return std::strcmp(id, kId) == 0; },
    [](corbel::core::Servant&) { return false; },
    [](corbel::core::Servant&) { return kId; },
    [](corbel::core::Servant& s) { of(s).holders_.fetch_add(1); },
    [](corbel::core::Servant& s) { of(s).holders_.fetch_sub(1); },
    [](corbel::core::Servant&, const char*) { return corbel::core::CollocatedServant{}; },
};

}  // namespace tiny
