// What interpretive skeletons need of the server: not in programs.cc, which clients link.
#include <alloca.h>

#include <cstring>

#include "orb/cpp/programs_file.h"

namespace corbel::cpp::programs {
namespace {

// An operation's frame, with what is to be freed in it.
class Frame {
 public:
  Frame(char* memory, Around around, Place members, std::uint32_t count) : Frame(memory, around, members) {
    for (; count_ < count; ++count_)
      if (kind(count_) == FreeValue) type(count_).construct(at(count_));
  }
  Frame(const Frame&) = delete;
  ~Frame() {
    while (count_ != 0) {
      --count_;
      if (kind(count_) == FreeValue) {
        type(count_).destruct(at(count_), false);
        continue;
      }
      void* const value = *reinterpret_cast<void**>(at(count_));
      if (kind(count_) == FreeString) CORBA::string_free(static_cast<char*>(value));
      else if (value) free_made(type(count_), value);
    }
  }

  static constexpr std::uint32_t kMember = 5;  // octets of each

 private:
  Frame(char* memory, Around around, Place members) : memory_(memory), around_(around), members_(members) {}
  Freed kind(std::uint32_t i) const { return static_cast<Freed>(members_[kMember * i]); }
  char* at(std::uint32_t i) const { return memory_ + w(members_ + kMember * i + 1); }
  const Type& type(std::uint32_t i) const { return around_.type(w(members_ + kMember * i + 3)); }

  char* const memory_;
  const Around around_;
  const Place members_;
  std::uint32_t count_ = 0;
};

// False if it ended with one of the operation's exceptions, which has been answered.
bool run(void* servant, core::Upcall& call, void (*upcall)(void*, void*), char* memory,
         const char* const* exceptions, std::uint32_t count) try {
  upcall(servant, memory);
  return true;
} catch (const CORBA::UserException& exception) {
  if (!reply_user_exception(call, exception, exceptions, count)) throw;
  return false;
}

}  // namespace

void serve(void* servant, core::Upcall& call, void (*upcall)(void*, void*), const unsigned char* operation) {
  const Around around = programs::around(operation);
  const std::uint32_t size = w(operation + 2), freed = operation[4] / 4u;
  const Place members = operation + 10, arguments = members + Frame::kMember * freed;
  char* const memory = static_cast<char*>(alloca(size));
  std::memset(memory, 0, size);
  const Frame frame(memory, around, members, freed);
  if (*arguments != End && !read(call.arguments(), memory, around, arguments)) bad_arguments();
  if (operation[7] == 0) upcall(servant, memory);
  else if (!run(servant, call, upcall, memory,
                static_cast<const char* const*>(around.file().raises) + w(operation + 8), operation[7]))
    return;
  const Place results = around.program(w(operation + 5));
  if (*results == End) return;
  if ((operation[4] & Sent) == 0) return write(call.results(), memory, around, results);
  write(call.results_in_place(), memory, around, results);
  call.send();
}

}  // namespace corbel::cpp::programs
