#!/bin/sh
# Collects what an image has: files.sh PROGRAM FOLDER. The program, the shared libraries that it names, a user that is not root,
# certificates of authorities if the platform has them, and two folders that this user may write.
set -eu
program=$1
image=$2

mkdir -p "$image/etc/ssl/certs" "$image/tmp" "$image/out"
cp "$program" "$image/touchstone"
chmod 755 "$image/touchstone"
# `ldd` prints "name => path (address)", and the loader by its path alone.
for library in $(ldd "$program" | grep -o '/[^ ]*'); do
  mkdir -p "$image$(dirname "$library")"
  cp -L "$library" "$image$library"
done
printf 'touchstone:x:65532:65532::/out:/touchstone\n' > "$image/etc/passwd"
printf 'touchstone:x:65532:\n' > "$image/etc/group"
printf 'hosts: files dns\n' > "$image/etc/nsswitch.conf"
authorities=/etc/ssl/certs/ca-certificates.crt
[ ! -e "$authorities" ] || cp -L "$authorities" "$image$authorities"
chmod 1777 "$image/tmp"
chown 65532:65532 "$image/out" 2>/dev/null || chmod 777 "$image/out"
