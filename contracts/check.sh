#!/usr/bin/env bash
# Proves that the committed contracts are what their sources say, byte for byte.
#   check.sh [--rebuild] [CONTRACT…]
# Where the recorded digest of the inputs is current, nothing is built; --rebuild always builds, in a folder of its own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rebuild=no
if [ "${1:-}" = --rebuild ]; then
  rebuild=yes
  shift
fi
(cd "$here" && sha256sum --quiet -c hashes.txt)
inputs=$("$here/../scripts/wasmInputs.sh" contracts)
current=no
[ "$inputs" != "$(cat "$here/inputs.sha256" 2>/dev/null)" ] || current=yes
if [ $rebuild = no ] && [ $current = yes ]; then
  echo "contracts: the inputs are the recorded ones ($inputs); not built again"
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ $# -eq 0 ]; then
  # All whose hash is recorded.
  names=$(sed -n 's#^[0-9a-f]*  wasm/\(.*\)\.wasm$#\1#p' "$here/hashes.txt")
  set -- $names
fi
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
if [ $status = 0 ] && [ $current = no ]; then
  echo "contracts: the bytes are the same but their inputs changed; to spare the next build, run" >&2
  echo "  scripts/wasmInputs.sh contracts >contracts/inputs.sha256" >&2
fi
exit $status
