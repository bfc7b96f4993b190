// group PRIMARY REFERENCE...: prints a reference to the group of these members; PRIMARY is the place of one,
// or -1.
#include <corbel/groups.h>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 3) return 2;
    std::vector<CORBA::Object_var> members;
    std::vector<CORBA::Object_ptr> pointers;
    for (int i = 2; i < argc; ++i)
      pointers.push_back(members.emplace_back(orb->string_to_object(argv[i])).in());
    CORBA::Object_var group =
        corbel::make_group({"interop", 1, 1}, pointers, static_cast<CORBA::ULong>(std::stol(argv[1])));
    CORBA::String_var text = orb->object_to_string(group.in());
    std::cout << text.in() << std::endl;
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "group: " << e._rep_id() << '\n';
    return 1;
  }
}
