// The requests of an ORB whose replies are to be got: by who has sent them, or as get_next_response gives
// them.
#pragma once

#include <corbel/cpp/request.h>

#include "orb/base/mutex.h"
#include "orb/base/ref.h"

namespace corbel::core {
class Orb;
}

namespace corbel::dynamic {

// Thread-safe. A request is the business of one thread at a time, which has claimed it.
class Outstanding final : public base::RefCounted {
 public:
  static base::Ref<Outstanding> of(core::Orb& orb);

  // Holds the request; waits until no other thread has claimed it. Claims nothing where it was never sent to
  // be got later, or where this thread, further out, has it already.
  class Claim {
   public:
    explicit Claim(CORBA::Request& request);
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

   private:
    friend class Outstanding;
    Claim(CORBA::Request& request, bool taken);
    CORBA::Request& request_;
    const bool taken_;
  };

  // Of requests that this thread has claimed. Those that are kept live until their reply has been got, all
  // others as long as somebody has them.
  void add(CORBA::Request& request, bool keep);
  void remove(CORBA::Request& request);
  void keep_no_longer(CORBA::Request& request);
  // The ORB ends.
  void clear();

  // One that is over, and whose reply is got if `get`: null if there is none. What has come until then is
  // taken, from each connection in turn. Raises BAD_INV_ORDER where none is outstanding.
  CORBA::Request_ptr next(base::Deadline until, bool get);

 private:
  bool claim(CORBA::Request& request);
  void give_back(CORBA::Request& request);
  void unlink(CORBA::Request& request);
  static void forget_parent(CORBA::Request& request);
  template <typename Accept>
  CORBA::Request* claim_next(std::uint64_t& behind, bool& waits, bool& taken, Accept accept);

  base::Mutex mutex_;  // guards what follows, and the place of each request
  CORBA::Request *first_ = nullptr, *last_ = nullptr;
  std::uint64_t sent_ = 0;
  bool cleared_ = false;
};

}  // namespace corbel::dynamic
