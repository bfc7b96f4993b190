// The matrix for a peer that is a script.
//   peer [ORB options] serve            prints its reference, serves until its input ends
//   peer [ORB options] call IOR DATA    calls everything with the values of DATA; prints what comes back
//   changed, and
//                                       the name of a cell and the minor code where wide characters are
//                                       refused
#include <cstring>
#include <iostream>

#include "tests/passing/passing.h"

const char* data_file() { return ""; }

namespace {

int serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  PortableServer::ServantBase_var servant = make_servant();
  PortableServer::ObjectId_var id = poa->activate_object(servant.in());
  object = poa->id_to_reference(id.in());
  CORBA::String_var ior = orb->object_to_string(object);
  std::cout << ior.in() << std::endl;
  while (std::cin.get() != EOF) continue;
  return 0;
}

class Caller {
 public:
  Caller(Matrix::Server_ptr it, const char* data) : it_(it), values_(read_values(data)) {}
  int all() {
    for (std::size_t i = 0; i < cells().size(); ++i)
      for (std::size_t k = 0; k < values_[i].size(); ++k)
        one(cells()[i], values_[i][k], values_[i][(k + 1) % values_[i].size()]);
    return wrong_;
  }

 private:
  void one(const Cell& cell, const std::string& a, const std::string& b) {
    // Holders first: the memory of a caller without them is lost where the call is refused.
    for (const Pass pass : {cell.held, cell.by_names, cell.raw}) {
      if (!pass) continue;
      const bool good = attempt(cell, [&] {
        const Results results = pass(it_, a, b);
        expect(cell, results.result, a);
        expect(cell, results.b, a);
        expect(cell, results.c, b);
        if (pass != cell.raw) expect(cell, results.again, a);
      });
      if (!good) break;
    }
    attempt(cell, [&] { expect(cell, cell.keep(it_, a), a); });
    attempt(cell, [&] { expect(cell, cell.raise(it_, a), a); });
  }
  template <typename Call>
  bool attempt(const Cell& cell, const Call& call) {
    try {
      call();
      return true;
    } catch (const CORBA::MARSHAL& e) {
      std::cout << "refused " << cell.name << ' ' << (e.minor() & 0xfff) << '\n';
      if ((e.minor() & ~0xfffu) != 0x4f4d0000) wrong(cell, e._name());
    } catch (const CORBA::Exception& e) {
      wrong(cell, e._name());
    }
    return false;
  }
  void expect(const Cell& cell, const std::string& shown, const std::string& expected) {
    if (shown != expected) wrong(cell, (shown + " instead of " + expected).c_str());
  }
  void wrong(const Cell& cell, const char* what) {
    std::cout << "wrong " << cell.name << ": " << what << '\n';
    wrong_ = 1;
  }
  Matrix::Server_ptr const it_;
  const std::vector<std::vector<std::string>> values_;
  int wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "peer");
    add_factories(orb);
    if (argc == 2 && std::strcmp(argv[1], "serve") == 0) return serve(orb);
    if (argc != 4 || std::strcmp(argv[1], "call") != 0) return 2;
    CORBA::Object_var object = orb->string_to_object(argv[2]);
    Matrix::Server_var it = Matrix::Server::_unchecked_narrow(object);
    return Caller(it, argv[3]).all();
  } catch (const std::exception& e) {
    std::cout << "wrong " << e.what() << '\n';
    return 1;
  }
}
