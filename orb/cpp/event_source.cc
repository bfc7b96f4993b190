#include <corbel/cpp/exception.h>
#include <corbel/event_source.h>

#include "orb/core/orb.h"
#include "orb/core/server.h"

namespace corbel {

EventSource::EventSource(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)), descriptor_(-1) {
  const auto check = [](const SystemError& error) {
    if (error) cpp::raise(error);
  };
  if (!orb) cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, 0, "an EventSource needs an ORB"});
  core::Orb& core = orb->_corbel_core();
  check(core.check());
  if (core.options().server_model != core::ServerModel::Reactive)
    cpp::raise({SystemErrorId::BAD_INV_ORDER, Completion::No, 0,
                "an EventSource needs an ORB without threads: start it with -ORBserverModel reactive"});
  check(core.start_server(core::make_server));  // which is what links it
  descriptor_ = core.server()->event_descriptor();
  if (descriptor_ < 0)
    cpp::raise({SystemErrorId::NO_RESOURCES, Completion::No, 0,
                "no file descriptors left for a timer: raise the limit of open files"});
}

bool EventSource::perform(unsigned most) {
  core::Orb& core = orb_->_corbel_core();
  core::AbstractServer* const server = core.server();
  const core::MainThread::Here main(core.main_thread(), core::MainThread::As::Entering);
  return server && server->run_ready(most);
}

void EventSource::on_readable(void* source) { static_cast<EventSource*>(source)->perform(); }

}  // namespace corbel
