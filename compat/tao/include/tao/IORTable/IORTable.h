// TAO's table of names in corbaloc:: addresses: resolve_initial_references("IORTable").
//
// A request for corbaloc::HOST:PORT/KEY is forwarded to what is bound to KEY. The table is that of the
// adapter omniINSPOA; an object that is active there under the same key is hidden meanwhile. Thread-safe.
#pragma once

#include <corbel/corba.h>
#include <corbel/cpp/local_exception.h>

namespace IORTable {

class AlreadyBound : public corbel::cpp::LocalException<AlreadyBound> {
 public:
  static constexpr const char* kName = "AlreadyBound";
  static constexpr const char* kId = "IDL:IORTable/AlreadyBound:1.0";
};
class NotFound : public corbel::cpp::LocalException<NotFound> {
 public:
  static constexpr const char* kName = "NotFound";
  static constexpr const char* kId = "IDL:IORTable/NotFound:1.0";
};

class Table;
typedef Table* Table_ptr;
typedef corbel::cpp::ObjectVar<Table> Table_var;
typedef corbel::cpp::ObjectOut<Table> Table_out;

class Table : public CORBA::LocalObject {
 public:
  typedef Table_ptr _ptr_type;
  typedef Table_var _var_type;
  static constexpr const char* _corbel_id = "IDL:IORTable/Table:1.0";
  static Table_ptr _duplicate(Table_ptr table) { return corbel::cpp::duplicate(table); }
  // Makes the table of what resolve_initial_references gave.
  static Table_ptr _narrow(CORBA::Object_ptr object);
  static Table_ptr _nil() { return nullptr; }

  // `ior` as object_to_string gave it, or another address of an object.
  void bind(const char* key, const char* ior);
  void rebind(const char* key, const char* ior);
  void unbind(const char* key);

  ~Table() override;
  void* _corbel_widen(const char* repository_id) override;

 private:
  struct Keys;
  explicit Table(CORBA::ORB_ptr orb);
  void set(const char* key, const char* ior);
  CORBA::ORB_var orb_;
};

}  // namespace IORTable
