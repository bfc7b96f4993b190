// shop serve: prints a reference and serves until the shop is closed. shop buy REFERENCE: makes all calls,
// some often, closes the shop and leaves without a word to the ORB.
#include <cstdlib>
#include <iostream>
#include <string>

#include <corbel/poa.h>

#include "shop.skel.h"

namespace {

constexpr CORBA::Long kPuts = 200;

class Store : public POA_Shop::Store {
 public:
  explicit Store(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void knock(CORBA::Long times) override { level_ += times; }
  CORBA::Long level() override { return level_; }
  void level(CORBA::Long level) override { level_ = level; }
  void put(const Shop::Item& thing) override {
    items_.length(items_.length() + 1);
    items_[items_.length() - 1] = thing;
  }
  Shop::Items* all() override {
    auto* const many = new Shop::Items(items_);
    many->length(20 * items_.length());
    return many;
  }
  void say(const Shop::Remark& said) override {
    if (said.about.count == 0) throw Shop::Closed("nothing is left of it");
  }
  void hint(const char*) override {}
  void close() override { orb_->shutdown(false); }

 private:
  CORBA::ORB_var orb_;
  CORBA::Long level_ = 0;
  Shop::Items items_;
};

int serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::Servant_var<Store> servant = new Store(orb);
  Shop::Store_var store = servant->_this();
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  CORBA::String_var text = orb->object_to_string(store);
  std::cout << text.in() << std::endl;
  orb->run();
  orb->destroy();
  return 0;
}

int buy(CORBA::ORB_ptr orb, const char* reference) {
  CORBA::Object_var object = orb->string_to_object(reference);
  Shop::Store_var store = Shop::Store::_narrow(object);
  Shop::Item thing;
  thing.name = "tea";
  for (thing.count = 1; thing.count <= kPuts; ++thing.count) store->put(thing);
  const Shop::Items_var all = store->all();
  if (all->length() != 20 * kPuts || all[kPuts - 1].count != kPuts || std::string(all[0].name.in()) != "tea")
    return 1;
  store->level(3);
  for (int i = 0; i < 4; ++i) store->knock(1);
  if (store->level() != 7) return 1;
  store->hint("more tea");
  Shop::Remark said;
  said.text = "how much is it?";
  said.about.count = 0;
  try {
    store->say(said);
    return 1;
  } catch (const Shop::Closed&) {
  }
  store->close();
  std::exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const std::string role = argc > 1 ? argv[1] : "";
  if (role == "serve") return serve(orb);
  if (role == "buy" && argc == 3) return buy(orb, argv[2]);
  std::cerr << "shop serve | buy REFERENCE\n";
  return 2;
}
