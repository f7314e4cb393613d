#!/usr/bin/env bash
# Builds wasm/<contract>.wasm with Debian's own Rust and binaryen, and the project's Node packages; installs nothing.
#   build.sh [-o FOLDER] [-t FOLDER] [CONTRACT…]
# -o: where the modules go (default: wasm, beside this script). -t: where the build works (default: target/wasm, beside it).
# Without -o the hashes of what was built are written to hashes.txt, and a digest of its inputs to inputs.sha256. Every member of the workspace with a cdylib is a contract.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$here/wasm work=$here/target/wasm record=yes
while getopts o:t: option; do
  case $option in
    o) out=$OPTARG record=no ;;
    t) work=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# -eq 0 ]; then
  cd "$here"
  manifests=$(grep -l '^crate-type.*"cdylib"' */Cargo.toml)
  set -- ${manifests//\/Cargo.toml/}
fi

# The bytes depend on compiler and optimizer; these are the ones the committed modules were made with.
compiler='rustc 1.96.0'
optimizer='wasm-opt version 108 '
library=/usr/lib/rustlib/src/rust/library
missing=
[ -x /usr/bin/rustc ] || missing+=' rustc-web'
[ -x /usr/bin/cargo ] || missing+=' cargo-web'
[ -e $library/Cargo.lock ] || missing+=' rust-web-src'
command -v wasm-ld-19 >/dev/null || missing+=' lld-19'
command -v wasm-opt >/dev/null || missing+=' binaryen'
if [ -n "$missing" ]; then
  echo "contracts: these Debian packages are missing:$missing" >&2
  echo "  apt-get install -y --no-install-recommends$missing" >&2
  exit 1
fi
case $(/usr/bin/rustc --version) in
  "$compiler "*) ;;
  *) echo "contracts: built with $compiler, but /usr/bin/rustc is $(/usr/bin/rustc --version)" >&2 && exit 1 ;;
esac

case "$(wasm-opt --version) " in
  "$optimizer"*) ;;
  *) echo "contracts: built with $optimizer, but this is $(wasm-opt --version)" >&2 && exit 1 ;;
esac

mkdir -p "$out" "$work"
out=$(cd "$out" && pwd) work=$(cd "$work" && pwd)
export RUSTC=/usr/bin/rustc
export RUSTC_BOOTSTRAP=1 # -Z build-std and panic=immediate-abort on a stable compiler
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_BUILD_RUSTFLAGS

# Every source, ours too, is built from inside $work, at places that do not depend on where this folder lies.
source=$work/source vendor=$work/vendor
rm -rf "$source" "$vendor"
mkdir -p "$source"
cp "$here"/Cargo.toml "$here"/Cargo.lock "$source"/
for manifest in "$here"/*/Cargo.toml; do
  cp -r "${manifest%/Cargo.toml}" "$source"/
done
# Cargo compares what it downloads with the checksums in Cargo.lock, the standard library's dependencies included.
(cd "$work" && /usr/bin/cargo vendor --quiet --locked --versioned-dirs --manifest-path "$source/Cargo.toml" \
  -s $library/Cargo.toml "$vendor" >/dev/null)

for contract; do
  [ -e "$source/$contract/Cargo.toml" ] || { echo "contracts: there is no $contract" >&2 && exit 1; }
  # A contract at a time, so that none is built with the features of another. A panic is a trap either way: with
  # immediate-abort the texts of panics, and the code that would put them together, stay out. Each call of a contract pays
  # for its memory and for its bytes: one page holds stack and data (a stack that is too deep traps, since data lies above it).
  CARGO_TARGET_DIR=$work/build \
  CARGO_TARGET_WASM32V1_NONE_RUSTFLAGS="-C linker=wasm-ld-19 -C link-arg=-zstack-size=49152 -Z unstable-options -C panic=immediate-abort \
--remap-path-prefix=$vendor=/vendor --remap-path-prefix=$source=/contracts \
--remap-path-prefix=$(readlink -f $library/..)=/rust --remap-path-prefix=$(dirname $library)=/rust" \
    /usr/bin/cargo build --release --frozen --manifest-path "$source/Cargo.toml" --package "$contract" --lib \
    --config 'source.crates-io.replace-with="vendored"' --config "source.vendored.directory=\"$vendor\"" \
    -Z build-std=core,alloc --target wasm32v1-none
  # Of those that payments call again and again. The others keep the bytes by which ledgers know them.
  case $contract in
    channel | channel-opener | smart-account | spending-limit) node "$here/strip.mjs" --exports "$work/build/wasm32v1-none/release/${contract//-/_}.wasm" ;;
  esac
  # Of what the host takes beside the first version of WebAssembly, the optimizer may use what it is told here.
  wasm-opt --mvp-features --enable-mutable-globals --enable-sign-ext -Oz --converge \
    "$work/build/wasm32v1-none/release/${contract//-/_}.wasm" -o "$out/$contract.wasm"
  node "$here/strip.mjs" "$out/$contract.wasm"
  chmod 644 "$out/$contract.wasm"
  ls -l "$out/$contract.wasm"
done
if [ $record = yes ]; then
  (cd "$here" && sha256sum wasm/*.wasm >hashes.txt && cat hashes.txt)
  "$here/../scripts/wasmInputs.sh" contracts >"$here/inputs.sha256"
fi
