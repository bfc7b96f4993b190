// The same server inside of libuv's loop: calls, a timer and SIGTERM in one thread.
#include <corbel/event_source.h>
#include <uv.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include "echo_servant.h"

int main(int argc, char** argv) try {
  setenv("CORBEL_SERVER_MODEL", "reactive", 0);
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  PortableServer::Servant_var<EchoServant> servant = new EchoServant;
  CORBA::String_var reference = reference_of(orb, servant);

  uv_loop_t loop;
  uv_loop_init(&loop);

  // The ORB is one of the loop's sources.
  corbel::EventSource source(orb);
  uv_poll_t serve;
  uv_poll_init(&loop, &serve, source.descriptor());
  serve.data = &source;
  uv_poll_start(&serve, UV_READABLE,
                [](uv_poll_t* handle, int, int) { corbel::EventSource::on_readable(handle->data); });

  // A timer is another.
  int seconds = 0;
  uv_timer_t timer;
  uv_timer_init(&loop, &timer);
  timer.data = &seconds;
  uv_timer_start(
      &timer, [](uv_timer_t* handle) { ++*static_cast<int*>(handle->data); }, 1000, 1000);

  // SIGTERM is a third.
  uv_signal_t ends;
  uv_signal_init(&loop, &ends);
  uv_signal_start(
      &ends, [](uv_signal_t* handle, int) { uv_stop(handle->loop); }, SIGTERM);

  std::cout << reference.in() << std::endl;
  uv_run(&loop, UV_RUN_DEFAULT);

  // The loop forgets the ORB before that ends.
  uv_walk(
      &loop, [](uv_handle_t* handle, void*) { uv_close(handle, nullptr); }, nullptr);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  std::cout << servant->calls << " calls, " << seconds << " seconds" << std::endl;
  orb->destroy();
  return 0;
} catch (const CORBA::Exception& e) {
  std::cerr << e.what() << std::endl;
  return 1;
}
