// Components, homes, event consumers and connectors as the objects that they are to their clients, in real
// calls.
#include <corbel/idl/Components.skel.h>
#include <corbel/poa.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "components.any.h"
#include "components.skel.h"
#include "pair.h"

namespace {

// What a container would do; here nobody asks for it.
template <typename Skeleton>
class Part : public Skeleton {
 public:
  CORBA::Object_ptr provide_facet(const char*) override { throw Components::InvalidName(); }
  Components::FacetDescriptions* get_all_facets() override { throw CORBA::NO_IMPLEMENT(); }
  Components::FacetDescriptions* get_named_facets(const Components::NameList&) override {
    throw CORBA::NO_IMPLEMENT();
  }
  CORBA::Boolean same_component(CORBA::Object_ptr) override { throw CORBA::NO_IMPLEMENT(); }
  Components::Cookie* connect(const char*, CORBA::Object_ptr) override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Object_ptr disconnect(const char*, Components::Cookie*) override { throw CORBA::NO_IMPLEMENT(); }
  Components::ConnectionDescriptions* get_connections(const char*) override { throw CORBA::NO_IMPLEMENT(); }
  Components::ReceptacleDescriptions* get_all_receptacles() override { throw CORBA::NO_IMPLEMENT(); }
  Components::ReceptacleDescriptions* get_named_receptacles(const Components::NameList&) override {
    throw CORBA::NO_IMPLEMENT();
  }
  Components::EventConsumerBase_ptr get_consumer(const char*) override { throw CORBA::NO_IMPLEMENT(); }
  Components::Cookie* subscribe(const char*, Components::EventConsumerBase_ptr) override {
    throw CORBA::NO_IMPLEMENT();
  }
  Components::EventConsumerBase_ptr unsubscribe(const char*, Components::Cookie*) override {
    throw CORBA::NO_IMPLEMENT();
  }
  void connect_consumer(const char*, Components::EventConsumerBase_ptr) override {
    throw CORBA::NO_IMPLEMENT();
  }
  Components::EventConsumerBase_ptr disconnect_consumer(const char*) override { throw CORBA::NO_IMPLEMENT(); }
  Components::ConsumerDescriptions* get_all_consumers() override { throw CORBA::NO_IMPLEMENT(); }
  Components::ConsumerDescriptions* get_named_consumers(const Components::NameList&) override {
    throw CORBA::NO_IMPLEMENT();
  }
  Components::EmitterDescriptions* get_all_emitters() override { throw CORBA::NO_IMPLEMENT(); }
  Components::EmitterDescriptions* get_named_emitters(const Components::NameList&) override {
    throw CORBA::NO_IMPLEMENT();
  }
  Components::PublisherDescriptions* get_all_publishers() override { throw CORBA::NO_IMPLEMENT(); }
  Components::PublisherDescriptions* get_named_publishers(const Components::NameList&) override {
    throw CORBA::NO_IMPLEMENT();
  }
  CORBA::IRObject_ptr get_component_def() override { return nullptr; }
  Components::CCMHome_ptr get_ccm_home() override { return Components::CCMHome::_nil(); }
  Components::PrimaryKeyBase* get_primary_key() override { throw Components::NoKeyAvailable(); }
  void configuration_complete() override {}
  void remove() override { throw Components::RemoveFailure(7); }
  Components::ComponentPortDescription* get_all_ports() override { throw CORBA::NO_IMPLEMENT(); }
};

class Meter : public POA_Parts::Meter {
 public:
  explicit Meter(CORBA::Long reading) : reading_(reading) {}
  CORBA::Long reading() override { return reading_; }

 private:
  const CORBA::Long reading_;
};

class Lever : public POA_Parts::Lever {
 public:
  void turn(CORBA::Boolean on) override { on_ = on; }
  CORBA::Boolean on_ = false;
};

// One connection at most.
template <typename Interface>
class Single {
 public:
  void connect(Interface* one) {
    if (!CORBA::is_nil(one_.in())) throw Components::AlreadyConnected();
    if (CORBA::is_nil(one)) throw Components::InvalidConnection();
    one_ = Interface::_duplicate(one);
  }
  Interface* disconnect() {
    if (CORBA::is_nil(one_.in())) throw Components::NoConnection();
    return one_._retn();
  }
  Interface* get() const { return Interface::_duplicate(one_.in()); }

 private:
  typename Interface::_var_type one_;
};

class Consumer : public POA_Parts::TockConsumer {
 public:
  void push_event(Components::EventBase* e) override {
    if (Parts::Tock* const tock = Parts::Tock::_downcast(e)) return push_Tock(tock);
    throw Components::BadEventType("IDL:Parts/Tock:1.0");
  }
  void push_Tick(Parts::Tick* e) override { count_ += e->count(); }
  void push_Tock(Parts::Tock* e) override {
    count_ += e->count();
    why_ = e->why();
  }
  CORBA::Long count_ = 0;
  std::string why_;
};

template <typename Skeleton>
class PlainPart : public Part<Skeleton> {
 public:
  char* label() override { return CORBA::string_dup("a part"); }
  Parts::Meter_ptr provide_shown() override { return shown_->_this(); }
  CORBA::Object_ptr provide_thing() override { return CORBA::Object::_nil(); }
  CORBA::Long size() override { return size_; }
  void size(CORBA::Long value) override { size_ = value; }

 private:
  PortableServer::Servant_var<Meter> shown_ = new Meter(42);
  CORBA::Long size_ = 1;
};
class Plain : public PlainPart<POA_Parts::Plain> {};

class Device : public PlainPart<POA_Parts::Device> {
 public:
  void connect_source(Parts::Meter_ptr m) override { source_.connect(m); }
  Parts::Meter_ptr disconnect_source() override { return source_.disconnect(); }
  Parts::Meter_ptr get_connection_source() override { return source_.get(); }

  Components::Cookie* connect_outputs(Parts::Lever_ptr lever) override {
    if (outputs_.length() == 2) throw Components::ExceededConnectionLimit();
    const CORBA::ULong n = outputs_.length();
    outputs_.length(n + 1);
    outputs_[n].objref = Parts::Lever::_duplicate(lever);
    Components::Cookie_var cookie = new OBV_Components::Cookie(CORBA::OctetSeq());
    outputs_[n].ck = cookie;
    return cookie._retn();
  }
  Parts::Lever_ptr disconnect_outputs(Components::Cookie*) override { throw Components::InvalidConnection(); }
  Parts::Device::outputsConnections* get_connections_outputs() override {
    return new Parts::Device::outputsConnections(outputs_);
  }
  void connect_any_object(CORBA::Object_ptr) override {}
  CORBA::Object_ptr disconnect_any_object() override { throw Components::NoConnection(); }
  CORBA::Object_ptr get_connection_any_object() override { return this->_this(); }

  void connect_alarm(Parts::TickConsumer_ptr c) override { alarm_.connect(c); }
  Parts::TickConsumer_ptr disconnect_alarm() override { return alarm_.disconnect(); }
  Components::Cookie* subscribe_noise(Parts::TockConsumer_ptr) override { return nullptr; }
  Parts::TockConsumer_ptr unsubscribe_noise(Components::Cookie*) override {
    throw Components::InvalidConnection();
  }
  Parts::TockConsumer_ptr get_consumer_heard() override { return heard_->_this(); }

  Parts::Lever_ptr provide_plug_control() override { return lever_->_this(); }
  void connect_plug_reading(Parts::Meter_ptr) override {}
  Parts::Meter_ptr disconnect_plug_reading() override { throw Components::NoConnection(); }
  Parts::Meter_ptr get_connection_plug_reading() override { return Parts::Meter::_nil(); }
  CORBA::Long plug_length() override { return 3; }
  void plug_length(CORBA::Long) override {}

  void connect_socket_first_control(Parts::Lever_ptr l) override { control_.connect(l); }
  Parts::Lever_ptr disconnect_socket_first_control() override { return control_.disconnect(); }
  Parts::Lever_ptr get_connection_socket_first_control() override { return control_.get(); }
  Parts::Meter_ptr provide_socket_first_reading() override { return provide_shown(); }
  CORBA::Long socket_first_length() override { return 4; }
  void socket_first_length(CORBA::Long) override {}
  Parts::Lever_ptr provide_socket_second_control() override { return lever_->_this(); }
  void connect_socket_second_reading(Parts::Meter_ptr) override {}
  Parts::Meter_ptr disconnect_socket_second_reading() override { throw Components::NoConnection(); }
  Parts::Meter_ptr get_connection_socket_second_reading() override { return Parts::Meter::_nil(); }
  CORBA::Long socket_second_length() override { return 5; }
  void socket_second_length(CORBA::Long) override {}

  PortableServer::Servant_var<Consumer> heard_ = new Consumer;
  PortableServer::Servant_var<Lever> lever_ = new Lever;

 private:
  Single<Parts::Meter> source_;
  Single<Parts::TickConsumer> alarm_;
  Single<Parts::Lever> control_;
  Parts::Device::outputsConnections outputs_;
};

template <typename Skeleton>
class AnyHome : public Skeleton {
 public:
  CORBA::IRObject_ptr get_component_def() override { return nullptr; }
  CORBA::IRObject_ptr get_home_def() override { return nullptr; }
  void remove_component(Components::CCMObject_ptr) override {}
  CORBA::Long made() override { return made_; }
  void made(CORBA::Long value) override { made_ = value; }
  CORBA::Long count() override { return made_; }
  Parts::Plain_ptr make(CORBA::Long size) override {
    if (size < 0) throw Parts::PlainHome::Broken(size);
    if (size > 1000) throw Components::CreateFailure(2);
    ++made_;
    PortableServer::Servant_var<Plain> plain = new Plain;
    plain->size(size);
    return plain->_this();
  }
  Parts::Plain_ptr find_size(CORBA::Long) override { throw Parts::Sold(); }

 protected:
  CORBA::Long made_ = 0;
};

class PlainHome : public AnyHome<POA_Parts::PlainHome> {
 public:
  Parts::Plain_ptr create() override { return make(0); }
  Components::CCMObject_ptr create_component() override { return make(0); }
};

class DeviceHome : public AnyHome<POA_Parts::DeviceHome> {
 public:
  Parts::Device_ptr create(Parts::Serial* key) override {
    if (!key) throw Components::InvalidKey();
    if (devices_.count(key->number()) != 0) throw Components::DuplicateKeyValue();
    PortableServer::Servant_var<Device> device = new Device;
    Parts::Device_ptr made = device->_this();
    devices_[key->number()] = Parts::Device::_duplicate(made);
    return made;
  }
  Parts::Device_ptr find_by_primary_key(Parts::Serial* key) override {
    const auto at = devices_.find(key->number());
    if (at == devices_.end()) throw Components::UnknownKeyValue();
    return Parts::Device::_duplicate(at->second.in());
  }
  void remove(Parts::Serial* key) override { devices_.erase(key->number()); }
  Parts::Serial* get_primary_key(Parts::Device_ptr device) override {
    for (const auto& [number, one] : devices_)
      if (device->_is_equivalent(one.in())) return new OBV_Parts::Serial(number);
    return nullptr;
  }

 private:
  std::map<CORBA::Long, Parts::Device_var> devices_;
};

class Depot : public POA_Parts::Depot {
 public:
  Parts::Depot::Devices* pass(Parts::Plain_ptr, Parts::Device_ptr& b, Parts::PlainHome_out c) override {
    auto* const all = new Parts::Depot::Devices(1);
    all->length(1);
    (*all)[0] = Parts::Device::_duplicate(b);
    c = Parts::PlainHome::_nil();
    return all;
  }
  CORBA::Any* pass_any(const CORBA::Any& a) override { return new CORBA::Any(a); }
};

class ComponentCalls : public testing::TestWithParam<Place> {
 protected:
  ComponentCalls() {
    add<Parts::Tick_init>("IDL:Parts/Tick:1.0");
    add<Parts::Tock_init>("IDL:Parts/Tock:1.0");
    add<Parts::Serial_init>("IDL:Parts/Serial:1.0");
    add<Components::Cookie_init>("IDL:omg.org/Components/Cookie:1.0");
  }
  template <typename Factory>
  void add(const char* id) {
    CORBA::ValueFactory_var factory = new Factory;
    for (CORBA::ORB_ptr orb : {pair.client.in(), pair.server.in()})
      CORBA::ValueFactory_var old = orb->register_value_factory(id, factory.in());
  }
  template <typename Interface, typename Servant>
  Interface* activated() {
    PortableServer::Servant_var<Servant> servant = new Servant;
    return pair.activate<Interface>(servant.in());
  }
  Pair pair{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Places, ComponentCalls, testing::Values(Place::Remote, Place::Collocated),
                         place_name);

TEST_P(ComponentCalls, FacetsAreGivenByOperationsOfTheirName) {
  Parts::Device_var device = activated<Parts::Device, Device>();
  Parts::Meter_var meter = device->provide_shown();
  EXPECT_EQ(meter->reading(), 42);
  CORBA::Object_var thing = device->provide_thing();
  EXPECT_TRUE(CORBA::is_nil(thing.in()));
  device->size(8);
  Parts::Plain_var plain = Parts::Plain::_narrow(device.in());
  ASSERT_FALSE(CORBA::is_nil(plain.in()));
  EXPECT_EQ(plain->size(), 8);
  Parts::Named_var named = Parts::Named::_narrow(device.in());
  CORBA::String_var label = named->label();
  EXPECT_STREQ(label.in(), "a part");
}

TEST_P(ComponentCalls, ComponentsAreCCMObjects) {
  Parts::Plain_var plain = activated<Parts::Plain, Plain>();
  Components::CCMObject_var object = Components::CCMObject::_narrow(plain.in());
  ASSERT_FALSE(CORBA::is_nil(object.in()));
  EXPECT_THROW(object->provide_facet("none"), Components::InvalidName);
  try {
    object->remove();
    FAIL();
  } catch (const Components::RemoveFailure& failure) {
    EXPECT_EQ(failure.reason, 7u);
  }
}

TEST_P(ComponentCalls, ReceptaclesTakeOneConnection) {
  Parts::Device_var device = activated<Parts::Device, Device>();
  Parts::Plain_var plain = activated<Parts::Plain, Plain>();
  Parts::Meter_var meter = plain->provide_shown();
  EXPECT_THROW(device->disconnect_source(), Components::NoConnection);
  EXPECT_THROW(device->connect_source(Parts::Meter::_nil()), Components::InvalidConnection);
  device->connect_source(meter.in());
  EXPECT_THROW(device->connect_source(meter.in()), Components::AlreadyConnected);
  Parts::Meter_var connected = device->get_connection_source();
  EXPECT_EQ(connected->reading(), 42);
  connected = device->disconnect_source();
  connected = device->get_connection_source();
  EXPECT_TRUE(CORBA::is_nil(connected.in()));
}

TEST_P(ComponentCalls, ReceptaclesForManyGiveCookies) {
  Parts::Device_var device = activated<Parts::Device, Device>();
  Parts::Lever_var lever = device->provide_plug_control();
  Components::Cookie_var first = device->connect_outputs(lever.in());
  Components::Cookie_var second = device->connect_outputs(lever.in());
  EXPECT_TRUE(first.in());
  EXPECT_THROW(device->connect_outputs(lever.in()), Components::ExceededConnectionLimit);
  Parts::Device::outputsConnections_var all = device->get_connections_outputs();
  ASSERT_EQ(all->length(), 2u);
  EXPECT_TRUE(all[0u].ck.in());
  EXPECT_NO_THROW(all[1u].objref->turn(true));
  EXPECT_THROW(device->disconnect_outputs(second.in()), Components::InvalidConnection);
}

TEST_P(ComponentCalls, EventsArePushedToConsumers) {
  PortableServer::Servant_var<Device> servant = new Device;
  Parts::Device_var device = pair.activate<Parts::Device>(servant.in());
  Parts::TockConsumer_var consumer = device->get_consumer_heard();
  Parts::Tock_var tock = new OBV_Parts::Tock(3, "late");
  consumer->push_Tock(tock.in());
  EXPECT_EQ(servant->heard_->count_, 3);
  EXPECT_EQ(servant->heard_->why_, "late");
  Parts::Tick_var tick = new OBV_Parts::Tick(4);
  Parts::TickConsumer_ptr base = consumer.in();
  base->push_Tick(tick.in());
  EXPECT_EQ(servant->heard_->count_, 7);
  Components::EventConsumerBase_var any = Components::EventConsumerBase::_narrow(consumer.in());
  any->push_event(tock.in());
  EXPECT_EQ(servant->heard_->count_, 10);
  EXPECT_THROW(any->push_event(tick.in()), Components::BadEventType);
}

TEST_P(ComponentCalls, EmittersAndPublishersAreConnectedToConsumers) {
  Parts::Device_var device = activated<Parts::Device, Device>();
  Parts::TockConsumer_var consumer = device->get_consumer_heard();
  device->connect_alarm(consumer.in());
  EXPECT_THROW(device->connect_alarm(consumer.in()), Components::AlreadyConnected);
  Parts::TickConsumer_var connected = device->disconnect_alarm();
  EXPECT_TRUE(connected->_is_equivalent(consumer.in()));
  Components::Cookie_var cookie = device->subscribe_noise(consumer.in());
  EXPECT_THROW(device->unsubscribe_noise(cookie.in()), Components::InvalidConnection);
}

TEST_P(ComponentCalls, ExtendedPortsAreTheirPartsAndMirrorsTheOtherSide) {
  Parts::Device_var device = activated<Parts::Device, Device>();
  EXPECT_EQ(device->plug_length(), 3);
  EXPECT_EQ(device->socket_first_length(), 4);
  EXPECT_EQ(device->socket_second_length(), 5);
  Parts::Lever_var lever = device->provide_plug_control();
  device->connect_socket_first_control(lever.in());
  Parts::Lever_var connected = device->get_connection_socket_first_control();
  EXPECT_TRUE(connected->_is_equivalent(lever.in()));
  Parts::Meter_var reading = device->provide_socket_first_reading();
  EXPECT_EQ(reading->reading(), 42);
}

TEST_P(ComponentCalls, HomesMakeAndFindComponents) {
  Parts::PlainHome_var home = activated<Parts::PlainHome, PlainHome>();
  Parts::Plain_var plain = home->make(12);
  EXPECT_EQ(plain->size(), 12);
  EXPECT_EQ(home->count(), 1);
  try {
    home->make(-4);
    FAIL();
  } catch (const Parts::PlainHomeExplicit::Broken& broken) {
    EXPECT_EQ(broken.code, -4);
  }
  EXPECT_THROW(home->make(2000), Components::CreateFailure);
  EXPECT_THROW(home->find_size(1), Parts::Sold);
  Parts::Plain_var created = home->create();
  EXPECT_EQ(created->size(), 0);
  Components::KeylessCCMHome_var keyless = Components::KeylessCCMHome::_narrow(home.in());
  Components::CCMObject_var object = keyless->create_component();
  EXPECT_FALSE(CORBA::is_nil(object.in()));
  Components::CCMHome_var every = Components::CCMHome::_narrow(home.in());
  EXPECT_NO_THROW(every->remove_component(object.in()));
}

TEST_P(ComponentCalls, HomesWithKeysFindByThem) {
  Parts::DeviceHome_var home = activated<Parts::DeviceHome, DeviceHome>();
  Parts::Serial_var key = new OBV_Parts::Serial(17);
  EXPECT_THROW(home->find_by_primary_key(key.in()), Components::UnknownKeyValue);
  Parts::Device_var device = home->create(key.in());
  EXPECT_THROW(home->create(key.in()), Components::DuplicateKeyValue);
  EXPECT_THROW(home->create(nullptr), Components::InvalidKey);
  Parts::Device_var found = home->find_by_primary_key(key.in());
  EXPECT_TRUE(found->_is_equivalent(device.in()));
  Parts::Serial_var same = home->get_primary_key(device.in());
  EXPECT_EQ(same->number(), 17);
  home->remove(key.in());
  EXPECT_THROW(home->find_by_primary_key(key.in()), Components::UnknownKeyValue);
  Parts::PlainHomeExplicit_var base = Parts::PlainHomeExplicit::_narrow(home.in());
  EXPECT_FALSE(CORBA::is_nil(base.in()));
  EXPECT_TRUE(CORBA::is_nil(Components::KeylessCCMHome::_narrow(home.in())));
}

TEST_P(ComponentCalls, ComponentsAreParametersLikeOtherObjects) {
  Parts::Depot_var depot = activated<Parts::Depot, Depot>();
  Parts::Device_var device = activated<Parts::Device, Device>();
  Parts::Device_var inout = device;
  Parts::PlainHome_var home;
  Parts::Depot::Devices_var all = depot->pass(device.in(), inout.inout(), home.out());
  ASSERT_EQ(all->length(), 1u);
  EXPECT_TRUE(device->_is_equivalent(all[0u]));
  CORBA::Any any;
  any <<= device.in();
  CORBA::Any_var back = depot->pass_any(any);
  CORBA::TypeCode_var type = back->type();
  EXPECT_EQ(type->kind(), CORBA::tk_component);
  Parts::Device_ptr inside = Parts::Device::_nil();
  ASSERT_TRUE(*back >>= inside);
  EXPECT_TRUE(device->_is_equivalent(inside));
  EXPECT_EQ(Parts::_tc_PlainHome->kind(), CORBA::tk_home);
  EXPECT_EQ(Parts::_tc_PlainHomeExplicit->kind(), CORBA::tk_objref);
  EXPECT_EQ(Parts::_tc_Tick->kind(), CORBA::tk_event);
}

class Bridge : public Part<POA_Parts::Bridge> {
 public:
  void connect_left_control(Parts::Lever_ptr) override {}
  Parts::Lever_ptr disconnect_left_control() override { throw Components::NoConnection(); }
  Parts::Lever_ptr get_connection_left_control() override { return Parts::Lever::_nil(); }
  Parts::Meter_ptr provide_left_reading() override { return Parts::Meter::_nil(); }
  CORBA::Long left_length() override { return 1; }
  void left_length(CORBA::Long) override {}
  Parts::Lever_ptr provide_right_control() override { return Parts::Lever::_nil(); }
  void connect_right_reading(Parts::Meter_ptr) override {}
  Parts::Meter_ptr disconnect_right_reading() override { throw Components::NoConnection(); }
  Parts::Meter_ptr get_connection_right_reading() override { return Parts::Meter::_nil(); }
  CORBA::Long right_length() override { return 2; }
  void right_length(CORBA::Long) override {}
  CORBA::Long delay() override { return 9; }
  void delay(CORBA::Long) override {}
};

TEST_P(ComponentCalls, ConnectorsHaveThePortsOfBothSides) {
  Parts::Bridge_var bridge = activated<Parts::Bridge, Bridge>();
  EXPECT_EQ(bridge->left_length(), 1);
  EXPECT_EQ(bridge->right_length(), 2);
  EXPECT_EQ(bridge->delay(), 9);
  EXPECT_THROW(bridge->disconnect_left_control(), Components::NoConnection);
}

}  // namespace
