// TLS for object references (SSLIOP), by OpenSSL. For programs that link Corbel::tls.
//
//   corbel::tls::use();
//   CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
//
// and -ORBendPoint giop:ssl:HOST:PORT -ORBsslKeyFile FILE -ORBsslCAFile FILE on the command line; docs/tls.md
// has all options and what they are by default.
#pragma once

namespace corbel::tls {

// Every ORB that is made afterwards speaks TLS. Thread-safe, any number of times.
[[gnu::visibility("default")]] void use();

// What an option (without "-ORB", for instance "sslKeyFile") is where neither arguments nor environment give
// it. For ORBs that are made afterwards. Thread-safe.
[[gnu::visibility("default")]] void set_default(const char* option, const char* value);

// Who is told, in place of standard error, of certificates that were changed and cannot be used: those that
// were read before are used on. Called by the thread that makes a connection, which waits meanwhile; null is
// standard error again. Thread-safe.
[[gnu::visibility("default")]] void on_reload_failure(void (*report)(const char* what));

}  // namespace corbel::tls
