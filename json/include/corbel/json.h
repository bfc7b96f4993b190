// Calls of operations whose contract is IDL text that comes at run time, with values as JSON: the library
// Corbel::json. docs/dynamic.md says how JSON stands for the types of IDL.
#pragma once

#include <corbel/dynamic.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace corbel::json {

// Something was asked for that cannot be, and nothing has been sent: a contract that does not compile, a name
// that it does not have, JSON that is not of the type. Or the operation has run, and JSON cannot hold what it
// gave. what() names the place in the JSON first, where there is one.
class [[gnu::visibility("default")]] Error : public std::exception {
 public:
  Error(std::string path, std::string reason);
  // "$.points[3].x"; empty where no JSON is to blame.
  const std::string& path() const { return path_; }
  const std::string& reason() const { return reason_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string path_, reason_, text_;
};

// A contract that has been compiled. Copies share it; it does not change, so any thread may use it.
class [[gnu::visibility("default")]] Contract {
 public:
  struct Options {
    std::vector<std::string> include_dirs;
    std::string standard_dir;          // of CORBA's own IDL, looked through last; may be empty
    std::vector<std::string> defines;  // NAME or NAME=TEXT
  };

  // Text of IDL. What it includes comes from the directories of the options and from nowhere else. Error,
  // with the compiler's diagnostics as its reason, where it does not compile.
  static Contract of_text(const std::string& idl, const Options& options);
  static Contract of_text(const std::string& idl) { return of_text(idl, Options()); }
  // A file, and what it includes, from wherever it says.
  static Contract of_file(const std::string& path, const Options& options);
  static Contract of_file(const std::string& path) { return of_file(path, Options()); }

  // Interfaces that may be called, as "M::I", in the order of their definition.
  std::vector<std::string> interfaces() const;
  // Of an interface (a scoped name or a repository id), inherited ones first. Attributes stand as the
  // operations _get_NAME and _set_NAME; the latter's parameter is called `value`. Error: there is no such
  // interface.
  std::vector<std::string> operations(const std::string& interface) const;
  // Of a type or an exception, by scoped name or repository id. The caller releases it. Error: there is none.
  CORBA::TypeCode_ptr type(const std::string& name) const;

  // For the library.
  struct Parts;
  const Parts& parts() const { return *parts_; }

 private:
  explicit Contract(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

// Converts and calls for one ORB. Keeps nothing between calls, so that threads may share one.
class [[gnu::visibility("default")]] Caller {
 public:
  Caller(CORBA::ORB_ptr orb, Contract contract);

  // Calls an operation of the interface (a scoped name or a repository id), which the object is trusted to
  // have. `arguments` is a JSON object with the in and inout parameters by name, or an array of them in their
  // order. Gives
  // {"result": VALUE, "out": {NAME: VALUE, ...}}, either left out where there is none, or {"exception": ...}:
  // what the call raised is not thrown. Error: nothing was sent; or the reply holds what JSON cannot.
  std::string call(CORBA::Object_ptr object, const std::string& interface, const std::string& operation,
                   const std::string& arguments) const;

  // The value of an Any, without its type.
  std::string to_json(const CORBA::Any& any) const;
  // A value of the type.
  CORBA::Any from_json(CORBA::TypeCode_ptr type, const std::string& json) const;

 private:
  CORBA::ORB_var orb_;
  Contract contract_;
};

}  // namespace corbel::json
