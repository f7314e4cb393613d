#!/usr/bin/env bash
# Verifies, byte for byte, that the committed modules can be built from their sources.
#   check.sh [--rebuild] [PROTOCOL…]
# If the recorded digest of the inputs is current, nothing is built; --rebuild always builds, in a temporary folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rebuild=no
if [ "${1:-}" = --rebuild ]; then
  rebuild=yes
  shift
fi
(cd "$here" && sha256sum --quiet -c hashes.txt)
inputs=$("$here/../../scripts/wasmInputs.sh" network/host)
current=no
[ "$inputs" != "$(cat "$here/inputs.sha256" 2>/dev/null)" ] || current=yes
if [ $rebuild = no ] && [ $current = yes ]; then
  echo "ledger-host: the inputs of the modules are unchanged ($inputs); skipping the build"
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$here/build.sh" -o "$scratch/out" -t "$scratch/work" "$@"
status=0
for built in "$scratch"/out/*.wasm; do
  name=$(basename "$built")
  if cmp -s "$built" "$here/$name"; then
    echo "ledger-host: $name matches its source"
  else
    echo "ledger-host: $name differs from its source: run network/host/build.sh and commit the result" >&2
    status=1
  fi
done
if [ $status = 0 ] && [ $current = no ]; then
  echo "ledger-host: the modules are unchanged but their inputs changed; to skip the next build, run" >&2
  echo "  scripts/wasmInputs.sh network/host >network/host/inputs.sha256" >&2
fi
exit $status
