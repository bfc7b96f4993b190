#!/bin/sh
# certificates.sh DIRECTORY HOST: makes an authority of your own (ca.pem, ca.key) and what it signs: server.pem for a
# server on HOST, client.pem for a client. Keep ca.key where nobody else reads it.
set -eu
umask 077
cd "$1"
case $2 in *:*) host=IP:$2 ;; *[!0-9.]*) host=DNS:$2 ;; *) host=IP:$2 ;; esac

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=Our authority" \
  -keyout ca.key -out ca.pem 2>/dev/null
chmod 644 ca.pem
for name in server client; do
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -keyout $name.key -out $name.csr 2>/dev/null
  printf 'basicConstraints=critical,CA:FALSE\n' >$name.ext
  [ $name = client ] || printf 'subjectAltName=%s\n' "$host" >>$name.ext
  openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -extfile $name.ext -out $name.crt 2>/dev/null
  cat $name.crt $name.key >$name.pem
  rm $name.csr $name.ext $name.crt $name.key
done
