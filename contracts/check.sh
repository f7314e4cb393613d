#!/usr/bin/env bash
# Builds the contracts again in a folder of its own and compares them, byte for byte, with the committed ones.
#   check.sh [CONTRACT…]
# Without names: all whose hash is recorded.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(cd "$here" && sha256sum --quiet -c hashes.txt)
if [ $# -eq 0 ]; then
  names=$(sed -n 's#^[0-9a-f]*  wasm/\(.*\)\.wasm$#\1#p' "$here/hashes.txt")
  set -- $names
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$here/build.sh" -o "$scratch/out" -t "$scratch/work" "$@"
status=0
for built in "$scratch"/out/*.wasm; do
  name=$(basename "$built")
  if cmp -s "$built" "$here/wasm/$name"; then
    echo "contracts: $name is what its source says"
  else
    echo "contracts: $name differs from its source: run contracts/build.sh and commit the result" >&2
    status=1
  fi
done
exit $status
