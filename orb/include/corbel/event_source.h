// An ORB inside of a loop that is not its own: epoll, libuv, Qt and the like.
#pragma once

#include <corbel/cpp/orb.h>

namespace corbel {

// What such a loop watches. For ORBs of the reactive model (-ORBserverModel reactive). The loop calls
// perform() whenever descriptor() is readable; nothing else is needed, no timer either. docs/event-loops.md
// shows it.
//
// Objects of this class refer to their ORB and are used by one thread at a time; others may make calls
// meanwhile.
class [[gnu::visibility("default")]] EventSource {
 public:
  // The ORB begins to listen if it does not yet. BAD_PARAM for nil, BAD_INV_ORDER if it is of another model
  // or was shut down, OBJECT_NOT_EXIST if it was destroyed, NO_RESOURCES if the process has no descriptors
  // left, INITIALIZE if it cannot listen.
  explicit EventSource(CORBA::ORB_ptr orb);

  // Readable, by level, while the ORB has something to do. The ORB's: it is only to be waited for. Valid
  // until the ORB is destroyed; a loop lets go of it before that.
  int descriptor() const { return descriptor_; }

  // Does what there is to do and does not wait for more: upcalls run inside, `most` of them at most, so that
  // the loop's other sources have their turn. True if there is more to do, for loops that do not ask again by
  // themselves. After the ORB's shutdown there is nothing to do. It may be called from an upcall. Raises
  // nothing.
  bool perform(unsigned most = 16);

  // The same as a callback: `source` is the EventSource.
  static void on_readable(void* source);

 private:
  CORBA::ORB_var orb_;
  int descriptor_;
};

}  // namespace corbel
