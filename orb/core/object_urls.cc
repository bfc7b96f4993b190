// From URLs and names of initial references to references.
#include <algorithm>
#include <mutex>

#include <corbel/core/invocation.h>

#include "orb/base/ascii.h"
#include "orb/core/orb.h"
#include "orb/ior/assigned.h"
#include "orb/ior/url.h"
#include "orb/transport/host_id.h"

namespace corbel::core {
namespace {

constexpr int kMostHops = 8;  // stops initial references, names and files that lead to each other

SystemError bad(std::uint32_t minor, const char* detail) {
  return {SystemErrorId::BAD_PARAM, Completion::No, assigned::kOmgMinor | minor, detail};
}

// CosNaming::NamingContext::resolve.
SystemError call_resolve(Reference& context, const std::vector<ior::NameComponent>& name, ior::Ior& found) {
  static constexpr Operation kResolve{"resolve", 7, false, false, 0, true};
  SystemError error;
  Invocation* const call = Invocation::begin(context, kResolve, error);
  if (!call) return error;
  ReplyKind kind = ReplyKind::NoException;
  do {
    call->arguments().put(static_cast<std::uint32_t>(name.size()));
    for (const ior::NameComponent& c : name) {
      call->arguments().put_string(c.id.c_str());
      call->arguments().put_string(c.kind.c_str());
    }
    error = call->invoke(kind);
  } while (!error && kind == ReplyKind::WriteAgain);
  if (!error && kind == ReplyKind::UserException)
    error = bad(10, "the naming service does not know the name of a corbaname URL");
  else if (!error && !ior::decode(call->results(), found))
    error = {SystemErrorId::MARSHAL, Completion::Yes, 0, "the naming service's answer is malformed"};
  call->end();
  return error;
}

}  // namespace

SystemError Orb::string_to_reference(const std::string& url, base::Ref<Reference>& reference) {
  int hops = 0;
  return follow(url, reference, hops);
}

SystemError Orb::locate(const ior::Corbaloc& corbaloc, base::Ref<Reference>& reference, int& hops) {
  if (!corbaloc.rir) {
    reference = import(ior::to_ior(corbaloc, transport::host_id()));
    return {};
  }
  if (SystemError e = resolve(corbaloc.key, reference, hops)) return e;
  return reference ? SystemError() : bad(9, "rir: of an object URL names no initial reference");
}

SystemError Orb::follow(const std::string& url, base::Ref<Reference>& reference, int& hops) {
  std::string text = url;
  while (hops++ < kMostHops) {
    if (base::begins_without_case(text, "IOR:")) {
      ior::Ior ior;
      if (SystemError e = ior::parse_ior(text, ior)) return e;
      reference = ior.nil() ? nullptr : import(std::move(ior));
      return {};
    }
    if (ior::is_corbaloc(text)) {
      ior::Corbaloc corbaloc;
      if (SystemError e = ior::parse_corbaloc(text, corbaloc)) return e;
      return locate(corbaloc, reference, hops);
    }
    if (base::begins_without_case(text, "corbaname:")) {
      ior::Corbaname corbaname;
      if (SystemError e = ior::parse_corbaname(text, corbaname)) return e;
      if (SystemError e = locate(corbaname.context, reference, hops)) return e;
      if (corbaname.name.empty()) return {};
      ior::Ior found;
      if (SystemError e = call_resolve(*reference, corbaname.name, found)) return e;
      reference = found.nil() ? nullptr : import(std::move(found));
      return {};
    }
    if (!base::begins_without_case(text, "file://"))
      return bad(7, text == url
                        ? "not an object URL: expected IOR:, corbaloc:, corbaname: or file://"
                        : "a file's first line is no object URL: expected IOR:, corbaloc: or corbaname:");
    std::string content;
    if (SystemError e = ior::read_file_url(text, content)) return e;
    text = std::move(content);
  }
  return bad(9, "files and initial references lead to each other without end");
}

SystemError Orb::resolve_initial(const std::string& name, base::Ref<Reference>& reference) {
  int hops = 0;
  return resolve(name, reference, hops);
}

SystemError Orb::resolve(const std::string& name, base::Ref<Reference>& reference, int& hops) {
  {
    std::lock_guard lock(mutex_);
    if (const auto i = initial_.find(name); i != initial_.end()) {
      reference = i->second;
      return {};
    }
  }
  for (auto i = options_.init_refs.rbegin(); i != options_.init_refs.rend(); ++i) {
    if (i->first != name) continue;
    if (SystemError e = follow(i->second, reference, hops)) return e;
    std::lock_guard lock(mutex_);
    if (!destroyed_.load(std::memory_order_acquire)) initial_.emplace(name, reference);
    return {};
  }
  reference = nullptr;
  const std::string& where = options_.default_init_ref;
  if (where.empty()) return {};
  // Behind "corbaname:ADDRESSES" or "...#" there is no name yet that a slash could end.
  const bool ends = where.back() == '/' || where.back() == '#';
  const bool unnamed = base::begins_without_case(where, "corbaname:") && where.find('#') == where.npos;
  return follow(where + (ends ? "" : unnamed ? "#" : "/") + ior::escape(name), reference, hops);
}

}  // namespace corbel::core
