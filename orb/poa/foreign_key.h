// Keys of persistent objects as omniORB and TAO write them, so that references which their servers have
// handed out go on working.
//
// omniORB: for each adapter below the root 0xff and its name, then a zero octet and the object id.
// TAO:     0x14 0x01 0x0f 0x00, 'N' (not the root's), 'U' or 'S' (user or system ids), 'P' (persistent),
// where
//          ids are the user's the size of what follows in big endian (4), a hint (8), "RootPOA" or in old
//          versions nothing, a zero octet, each adapter's name and a zero octet; then, where the adapter
//          retains servants, a hint (8), and the object id, of 4 octets where it is the system's.
// TAO's hints are numbers of the process that made them: they say nothing here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <corbel/core/key_format.h>

namespace corbel::poa {

inline constexpr KeyFormat kForeignFormats[] = {KeyFormat::OmniOrb, KeyFormat::Tao, KeyFormat::TaoNoHints};

// A key taken apart; the views are into the key.
struct ForeignKey {
  std::string_view path;  // as foreign_path() makes it
  std::string_view id;    // from TAO's user ids take_id_hint() is still to be taken
  bool user_id = true;    // only TAO's keys tell
};

// What keys of an adapter say of it, from its names below the root. False if a name cannot stand there, or
// they are too long.
bool foreign_path(KeyFormat format, const std::vector<const std::string*>& names, std::string& path);
std::vector<std::string_view> names_of(std::string_view foreign_path);

// False if it is not of this format. For each of TAO's two the end of a path before a system id is another.
bool parse_foreign_key(KeyFormat format, std::string_view key, ForeignKey& parts);
// From an id that a user has given, of an adapter that has these policies; false if there is no room for it.
bool take_id_hint(KeyFormat format, bool retain, ForeignKey& parts);

// The key of an object whose adapter has this path. Empty if the format has none: where ids are the system's,
// TAO's only for those that TAO has made.
std::string make_foreign_key(KeyFormat format, std::string_view path, std::string_view id, bool user_id,
                             bool retain);

// Whether an adapter of the other ORB can have made the id.
bool is_foreign_system_id(KeyFormat format, std::string_view id);

}  // namespace corbel::poa
