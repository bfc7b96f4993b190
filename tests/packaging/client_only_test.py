"""A program that only calls links nothing of the server; one that serves shows that its names are looked for rightly."""
import subprocess
import sys

SERVER = ["corbel::core::Server::", "corbel::core::ServerConnection::", "corbel::core::BidirectionalConnection::",
          "corbel::core::ReverseConnection::", "corbel::core::Upcall::send(", "corbel::transport::EventLoop::",
          "corbel::transport::TcpListener::", "corbel::transport::listen_unix("]


def names(program):
    return subprocess.run(["nm", "-C", "--defined-only", program], check=True, capture_output=True, text=True).stdout


def main():
    client, server = (names(program) for program in sys.argv[1:3])
    missed = [name for name in SERVER if name not in server]
    linked = [name for name in SERVER if name in client]
    if missed:
        print("a server does not have:", *missed)
    if linked:
        print("a client has:", *linked)
        print("see who refers to the server's files: -Wl,-Map,FILE, 'Archive member included'")
    return 1 if missed or linked else 0


if __name__ == "__main__":
    sys.exit(main())
