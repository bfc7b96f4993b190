// Made by corbel-idl from dispatch.idl; do not edit.
#pragma once

#include <corbel/corba.h>

// options: --no-any --dispatch Ways=hash --dispatch Ways::Active=active --dispatch Ways::Binary=binary --dispatch Ways::Linear=linear --dispatch Ways::Perfect=perfect
// Each way to find operations, inherited ones too.
namespace Ways {

class Base;
typedef Base* Base_ptr;
typedef corbel::cpp::ObjectVar<Base> Base_var;
typedef corbel::cpp::ObjectOut<Base> Base_out;
class Base : public virtual CORBA::Object {
 public:
  typedef Base_ptr _ptr_type;
  typedef Base_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Ways/Base:1.0";
  static Base_ptr _duplicate(Base_ptr object) { return corbel::cpp::duplicate(object); }
  static Base_ptr _narrow(CORBA::Object_ptr object);
  static Base_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Base_ptr _nil() { return nullptr; }

  void reset();
  CORBA::Long level();

  explicit Base(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Base() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

class Active;
typedef Active* Active_ptr;
typedef corbel::cpp::ObjectVar<Active> Active_var;
typedef corbel::cpp::ObjectOut<Active> Active_out;
class Active : public virtual ::Ways::Base {
 public:
  typedef Active_ptr _ptr_type;
  typedef Active_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Ways/Active:1.0";
  static Active_ptr _duplicate(Active_ptr object) { return corbel::cpp::duplicate(object); }
  static Active_ptr _narrow(CORBA::Object_ptr object);
  static Active_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Active_ptr _nil() { return nullptr; }

  void start();
  void store();
  void reset() { return corbel::cpp::not_nil(this)->::Ways::Base::reset(); }
  CORBA::Long level() { return corbel::cpp::not_nil(this)->::Ways::Base::level(); }

  explicit Active(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Active() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

class Binary;
typedef Binary* Binary_ptr;
typedef corbel::cpp::ObjectVar<Binary> Binary_var;
typedef corbel::cpp::ObjectOut<Binary> Binary_out;
class Binary : public virtual ::Ways::Base {
 public:
  typedef Binary_ptr _ptr_type;
  typedef Binary_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Ways/Binary:1.0";
  static Binary_ptr _duplicate(Binary_ptr object) { return corbel::cpp::duplicate(object); }
  static Binary_ptr _narrow(CORBA::Object_ptr object);
  static Binary_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Binary_ptr _nil() { return nullptr; }

  void start();
  void store();
  void reset() { return corbel::cpp::not_nil(this)->::Ways::Base::reset(); }
  CORBA::Long level() { return corbel::cpp::not_nil(this)->::Ways::Base::level(); }

  explicit Binary(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Binary() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

class Hash;
typedef Hash* Hash_ptr;
typedef corbel::cpp::ObjectVar<Hash> Hash_var;
typedef corbel::cpp::ObjectOut<Hash> Hash_out;
class Hash : public virtual ::Ways::Base {
 public:
  typedef Hash_ptr _ptr_type;
  typedef Hash_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Ways/Hash:1.0";
  static Hash_ptr _duplicate(Hash_ptr object) { return corbel::cpp::duplicate(object); }
  static Hash_ptr _narrow(CORBA::Object_ptr object);
  static Hash_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Hash_ptr _nil() { return nullptr; }

  void start();
  void store();
  void reset() { return corbel::cpp::not_nil(this)->::Ways::Base::reset(); }
  CORBA::Long level() { return corbel::cpp::not_nil(this)->::Ways::Base::level(); }

  explicit Hash(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Hash() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

class Linear;
typedef Linear* Linear_ptr;
typedef corbel::cpp::ObjectVar<Linear> Linear_var;
typedef corbel::cpp::ObjectOut<Linear> Linear_out;
class Linear : public virtual ::Ways::Base {
 public:
  typedef Linear_ptr _ptr_type;
  typedef Linear_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Ways/Linear:1.0";
  static Linear_ptr _duplicate(Linear_ptr object) { return corbel::cpp::duplicate(object); }
  static Linear_ptr _narrow(CORBA::Object_ptr object);
  static Linear_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Linear_ptr _nil() { return nullptr; }

  void start();
  void store();
  void reset() { return corbel::cpp::not_nil(this)->::Ways::Base::reset(); }
  CORBA::Long level() { return corbel::cpp::not_nil(this)->::Ways::Base::level(); }

  explicit Linear(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Linear() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

class Perfect;
typedef Perfect* Perfect_ptr;
typedef corbel::cpp::ObjectVar<Perfect> Perfect_var;
typedef corbel::cpp::ObjectOut<Perfect> Perfect_out;
class Perfect : public virtual ::Ways::Base {
 public:
  typedef Perfect_ptr _ptr_type;
  typedef Perfect_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Ways/Perfect:1.0";
  static Perfect_ptr _duplicate(Perfect_ptr object) { return corbel::cpp::duplicate(object); }
  static Perfect_ptr _narrow(CORBA::Object_ptr object);
  static Perfect_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Perfect_ptr _nil() { return nullptr; }

  void start();
  void store();
  void reset() { return corbel::cpp::not_nil(this)->::Ways::Base::reset(); }
  CORBA::Long level() { return corbel::cpp::not_nil(this)->::Ways::Base::level(); }

  explicit Perfect(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Perfect() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

}  // namespace Ways

// The default.
class Words;
typedef Words* Words_ptr;
typedef corbel::cpp::ObjectVar<Words> Words_var;
typedef corbel::cpp::ObjectOut<Words> Words_out;
class Words : public virtual CORBA::Object {
 public:
  typedef Words_ptr _ptr_type;
  typedef Words_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Words:1.0";
  static Words_ptr _duplicate(Words_ptr object) { return corbel::cpp::duplicate(object); }
  static Words_ptr _narrow(CORBA::Object_ptr object);
  static Words_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Words_ptr _nil() { return nullptr; }

  void start_one();
  void start_two();
  void stop_one();

  explicit Words(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Words() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};
