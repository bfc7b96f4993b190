#include "raw_ring.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace bench {
namespace {

constexpr std::uint32_t kSubmissions = 256, kCompletions = 4096;

long checked(long result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

char* map(int descriptor, std::size_t size, off_t what) {
  void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, what);
  if (at == MAP_FAILED) checked(-1, "mmap of an io_uring");
  return static_cast<char*>(at);
}

}  // namespace

Ring::Ring(const std::vector<int>& descriptors, bool registered) : descriptors_(descriptors) {
  io_uring_params params{};
  params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
  params.cq_entries = kCompletions;
  descriptor_ =
      static_cast<int>(checked(syscall(SYS_io_uring_setup, kSubmissions, &params), "io_uring_setup"));
  entered_ = static_cast<unsigned>(descriptor_);
  memory_size_ = std::max(params.sq_off.array + params.sq_entries * sizeof(std::uint32_t),
                          params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe));
  memory_ = map(descriptor_, memory_size_, IORING_OFF_SQ_RING);
  submission_size_ = params.sq_entries;
  submissions_ = reinterpret_cast<io_uring_sqe*>(
      map(descriptor_, submission_size_ * sizeof(io_uring_sqe), IORING_OFF_SQES));
  const auto word = [this](std::uint32_t offset) {
    return reinterpret_cast<std::uint32_t*>(memory_ + offset);
  };
  submission_head_ = word(params.sq_off.head);
  submission_tail_ = word(params.sq_off.tail);
  submission_array_ = word(params.sq_off.array);
  submission_mask_ = *word(params.sq_off.ring_mask);
  completion_head_ = word(params.cq_off.head);
  completion_tail_ = word(params.cq_off.tail);
  completion_mask_ = *word(params.cq_off.ring_mask);
  completions_ = reinterpret_cast<io_uring_cqe*>(memory_ + params.cq_off.cqes);
  for (std::uint32_t i = 0; i < submission_size_; ++i) submission_array_[i] = i;
  if (registered) register_all(descriptors);
}

Ring::~Ring() {
  munmap(submissions_, submission_size_ * sizeof(io_uring_sqe));
  munmap(memory_, memory_size_);
  close(descriptor_);
}

void Ring::register_all(const std::vector<int>& descriptors) {
  checked(syscall(SYS_io_uring_register, descriptor_, IORING_REGISTER_FILES, descriptors.data(),
                  descriptors.size()),
          "io_uring_register of the connections");
  io_uring_rsrc_update ring{};
  ring.offset = ~0u;  // any number
  ring.data = static_cast<std::uint64_t>(descriptor_);
  checked(syscall(SYS_io_uring_register, descriptor_, IORING_REGISTER_RING_FDS, &ring, 1),
          "io_uring_register of the ring");
  entered_ = ring.offset;
  flags_ |= IORING_ENTER_REGISTERED_RING;
  registered_ = true;
}

void Ring::enter(unsigned least) {
  const std::uint32_t waiting = *submission_tail_ - __atomic_load_n(submission_head_, __ATOMIC_ACQUIRE);
  checked(syscall(SYS_io_uring_enter, entered_, waiting, least, flags_, nullptr, 0), "io_uring_enter");
}

io_uring_sqe& Ring::next(std::size_t descriptor, std::uint8_t operation, std::uint64_t data) {
  if (*submission_tail_ - __atomic_load_n(submission_head_, __ATOMIC_ACQUIRE) == submission_size_) enter(0);
  const std::uint32_t tail = *submission_tail_;
  io_uring_sqe& entry = submissions_[tail & submission_mask_];
  std::memset(&entry, 0, sizeof entry);
  entry.opcode = operation;
  entry.fd = registered_ ? static_cast<int>(descriptor) : descriptors_[descriptor];
  entry.flags = registered_ ? IOSQE_FIXED_FILE : 0;
  entry.user_data = data;
  // The kernel reads it in enter(), by this thread.
  *submission_tail_ = tail + 1;
  return entry;
}

void Ring::receive(std::size_t descriptor, void* to, std::size_t size, std::uint64_t data) {
  io_uring_sqe& entry = next(descriptor, IORING_OP_RECV, data);
  entry.addr = reinterpret_cast<std::uint64_t>(to);
  entry.len = static_cast<std::uint32_t>(size);
}

void Ring::send(std::size_t descriptor, const void* from, std::size_t size, std::uint64_t data) {
  io_uring_sqe& entry = next(descriptor, IORING_OP_SEND, data);
  entry.addr = reinterpret_cast<std::uint64_t>(from);
  entry.len = static_cast<std::uint32_t>(size);
  entry.msg_flags = MSG_WAITALL | MSG_NOSIGNAL;
  entry.flags |= IOSQE_CQE_SKIP_SUCCESS;
}

}  // namespace bench
