#!/bin/sh
# Makes a certificate authority, and a certificate for PostgreSQL on each machine, in the current folder. Run it once,
# in a new folder:
#
#     sh certificates.sh node1=10.0.0.1 node2=10.0.0.2 node3=10.0.0.3
#
# Each machine gets ca.pem and its own pair. Keep ca.key offline: whoever has it can impersonate the database.
set -eu
umask 077
ec='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
openssl req -x509 $ec -days 3650 -subj '/CN=face-sign-in database' -keyout ca.key -out ca.pem
for machine in "$@"; do
  name=${machine%%=*} address=${machine#*=}
  openssl req $ec -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  printf 'subjectAltName=DNS:%s,IP:%s\n' "$name" "$address" > "$name.ext"
  openssl x509 -req -days 1825 -CA ca.pem -CAkey ca.key -CAcreateserial -in "$name.csr" -extfile "$name.ext" -out "$name.pem"
  rm "$name.csr" "$name.ext"
done
chmod 644 ca.pem
