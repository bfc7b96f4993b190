// References to object groups: one reference whose profiles lead to several members, of any ORB, in the order
// in which they are to be tried (CORBA 3.4 part 2, "Fault Tolerant CORBA": TAG_FT_GROUP, TAG_FT_PRIMARY).
// Corbel's clients ask the primary first; a member that cannot be reached, or that answers TRANSIENT,
// COMM_FAILURE, NO_RESPONSE or OBJ_ADAPTER with COMPLETED_NO, is followed by the next one within the call.
// Nothing that may have been carried out is sent again (docs/references.md).
#pragma once

#include <string>
#include <vector>

#include <corbel/corba.h>

namespace corbel {

// Which group a reference leads to. Two references to the same group are equivalent, whatever their members.
struct Group {
  std::string domain;        // names who gives the ids
  CORBA::ULongLong id = 0;   // unique in the domain
  CORBA::ULong version = 0;  // of the reference: higher with each change of the members
};

constexpr CORBA::ULong kNoPrimary = 0xffffffff;

// A reference to the group of these members, in this order; its interface is the first one's. `primary` is
// the place of the member to be asked first, kNoPrimary for none: then the order counts alone. Members may be
// groups themselves: their profiles are taken, what they said of a group is not. Where all members have the
// same object key (persistent objects of servers that are started alike), the further addresses stand in the
// first profile, too, for clients that look at no other (omniORB's). Raises BAD_PARAM where there is no
// member, one is nil, local or has no IIOP profile, or `primary` is none of them. Profiles of IIOP 1.0 cannot
// name the group. The caller owns the result. Thread-safe.
[[gnu::visibility("default")]] CORBA::Object_ptr make_group(const Group& group,
                                                            const std::vector<CORBA::Object_ptr>& members,
                                                            CORBA::ULong primary = kNoPrimary);

// A reference for each IIOP profile, in their order, without what is said of a group: to make another group
// of them, or to call one member. Raises BAD_PARAM for what is nil or local. The caller owns the results.
[[gnu::visibility("default")]] std::vector<CORBA::Object_var> group_members(CORBA::Object_ptr object);

// False, and `group` untouched, where the reference names no group.
[[gnu::visibility("default")]] bool group_of(CORBA::Object_ptr object, Group& group);

}  // namespace corbel
