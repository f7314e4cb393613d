#!/usr/bin/env bash
# Prints one digest of everything that the committed .wasm files of a folder depend on: sources, manifests, lock files, the
# build script with its flags, compiler and linker, and the hashes of the files themselves.
#   wasmInputs.sh network/host|contracts|contracts-tests
# build.sh records it in inputs.sha256; check.sh rebuilds only if it differs. For contracts-tests, it covers everything that the
# contracts' lints and tests depend on; .ci/contracts records that digest in tested.sha256.
set -euo pipefail
folder=$1
cd "$(dirname "${BASH_SOURCE[0]}")/../${folder%-tests}"
case $folder in
  network/host) inputs=(build.sh hashes.txt src patches protocol-*) ;;
  # Crates used only by tests do not affect the bytes.
  contracts)
    inputs=(build.sh strip.mjs hashes.txt Cargo.toml Cargo.lock)
    for manifest in */Cargo.toml; do
      case $manifest in policy-tests/* | test-support/*) ;; *) inputs+=("${manifest%/Cargo.toml}") ;; esac
    done
    ;;
  contracts-tests) inputs=(Cargo.toml Cargo.lock wasm */) ;;
  *) echo "wasmInputs: there is no folder $folder" >&2 && exit 2 ;;
esac
export LC_ALL=C
{
  /usr/bin/rustc --version --verbose
  wasm-ld-19 --version
  [ "$folder" = network/host ] || wasm-opt --version
  find "${inputs[@]}" -name target -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
} | sha256sum | cut -d ' ' -f 1
