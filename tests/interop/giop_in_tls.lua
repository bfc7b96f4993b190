-- For tshark, which has no option that says so: what is decrypted of TLS here is GIOP.
DissectorTable.get("tls.port"):add("1024-65535", Dissector.get("giop"))
