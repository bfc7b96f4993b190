// A transport of one's own: GIOP messages as UDP datagrams, for operations that are `oneway`. Datagrams may
// get lost, and nothing comes back. Endpoints are written giop:udp:HOST:PORT.
#pragma once

// Call it before ORB_init, in server and client.
void use_udp();
