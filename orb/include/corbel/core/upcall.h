// The public face of one incoming request: where a skeleton reads arguments and writes results.
#pragma once

#include <corbel/base/error.h>
#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/core/collocated.h>
#include <corbel/core/fwd.h>

namespace corbel::core {

// Made by the ORB for the time of one request; belongs to the thread that runs the servant.
class [[gnu::visibility("default")]] Upcall {
 public:
  const char* operation() const { return operation_; }  // terminated; as on the wire
  std::uint32_t operation_length() const { return operation_length_; }
  bool response_expected() const { return response_expected_; }

  cdr::Decoder& arguments() { return arguments_; }
  // Starts the reply and gives the place for its results. A later call starts afresh: what was written is
  // dropped.
  cdr::Encoder& results();
  // The same, but large runs of primitives may stay in the servant's memory, which must be there until
  // send().
  cdr::Encoder& results_in_place();
  // The results are written. Sends them at once if some of them stand in the servant's memory; others go when
  // the servant has returned. Nothing may be written afterwards.
  void send();
  // The reply whose results are one number, the bits of which are given.
  void reply_number(std::uint8_t number);
  void reply_number(std::uint16_t number);
  void reply_number(std::uint32_t number);
  void reply_number(std::uint64_t number);
  // Starts a user-exception reply; its repository id is written already.
  cdr::Encoder& user_exception(const char* repository_id);
  void system_exception(const SystemError& error);

 protected:
  Upcall() = default;
  ~Upcall() = default;
  const char* operation_ = nullptr;
  std::uint32_t operation_length_ = 0;
  bool response_expected_ = false;
  cdr::Decoder arguments_;
};

// A servant as the core sees it: an object of some language mapping behind a table of functions. The mapping
// derives from it. Functions may be called from any thread; none of them throws.
class [[gnu::visibility("default")]] Servant {
 public:
  struct Functions {
    // Runs the operation and fills in the reply. An unknown operation is answered with BAD_OPERATION.
    void (*dispatch)(Servant&, Upcall&);
    bool (*is_a)(Servant&, const char* repository_id);
    bool (*non_existent)(Servant&);
    // Most derived repository id.
    const char* (*interface_id)(Servant&);
    void (*add_ref)(Servant&);
    void (*remove_ref)(Servant&);
    // How calls of this process reach it as that interface (collocated.h).
    CollocatedServant (*collocated)(Servant&, const char* interface);
  };
  const Functions& functions() const { return *functions_; }

 protected:
  explicit Servant(const Functions& functions) : functions_(&functions) {}
  ~Servant() = default;

 private:
  const Functions* functions_;
};

}  // namespace corbel::core
