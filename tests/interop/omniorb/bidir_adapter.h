// An adapter whose objects may be called on the connections of those that call them: omniORB wants the
// policy, too.
#pragma once

inline PortableServer::POA_ptr bidirectional_adapter(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
  CORBA::PolicyList policies;
  policies.length(1);
  CORBA::Any both;
  both <<= BiDirPolicy::BOTH;
  policies[0] = orb->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, both);
  PortableServer::POAManager_var manager = root->the_POAManager();
  return root->create_POA("bidirectional", manager.in(), policies);
}
