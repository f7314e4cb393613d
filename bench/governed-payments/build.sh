#!/usr/bin/env bash
# Builds OpenZeppelin's account, spending limit and signature verifier into build/governed-payments/openzeppelin, from the crates
# in openzeppelin/Cargo.lock. compiled/ contains the compiler's output; optimized/ the same after the steps of contracts/build.sh:
# no panic messages, a small stack, wasm-opt, no comments in the interface.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/build/governed-payments/openzeppelin
work=$root/build/governed-payments/target

missing=
[ -x /usr/bin/rustc ] || missing+=' rustc-web'
[ -x /usr/bin/cargo ] || missing+=' cargo-web'
[ -e /usr/lib/rustlib/src/rust/library/Cargo.lock ] || missing+=' rust-web-src'
command -v wasm-ld-19 >/dev/null || missing+=' lld-19'
command -v wasm-opt >/dev/null || missing+=' binaryen'
if [ -n "$missing" ]; then
  echo "governed-payments: these Debian packages are missing:$missing" >&2
  echo "  apt-get install -y --no-install-recommends$missing" >&2
  exit 1
fi
export RUSTC=/usr/bin/rustc
export RUSTC_BOOTSTRAP=1 # -Z build-std on a stable compiler
# The SDK asks build tools to remove unused types from a contract's interface; shake.mjs does that.
export SOROBAN_SDK_BUILD_SYSTEM_SUPPORTS_SPEC_SHAKING_V2=1
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_BUILD_RUSTFLAGS

build() { # FOLDER FLAGS
  CARGO_TARGET_DIR=$work CARGO_TARGET_WASM32V1_NONE_RUSTFLAGS="-C linker=wasm-ld-19 $2" \
    /usr/bin/cargo build --release --locked --manifest-path "$here/openzeppelin/Cargo.toml" -Z build-std=core,alloc --target wasm32v1-none
  mkdir -p "$out/$1"
}
modules='openzeppelin-account openzeppelin-spending-limit openzeppelin-ed25519-verifier'

build compiled ''
for module in $modules; do
  cp "$work/wasm32v1-none/release/${module//-/_}.wasm" "$out/compiled/$module.wasm"
  node "$here/shake.mjs" "$out/compiled/$module.wasm"
done

build optimized '-C link-arg=-zstack-size=49152 -Z unstable-options -C panic=immediate-abort'
for module in $modules; do
  cp "$work/wasm32v1-none/release/${module//-/_}.wasm" "$work/$module.wasm"
  node "$here/shake.mjs" "$work/$module.wasm"
  wasm-opt --mvp-features --enable-mutable-globals --enable-sign-ext -Oz --converge \
    "$work/$module.wasm" -o "$out/optimized/$module.wasm"
  node "$root/contracts/strip.mjs" "$out/optimized/$module.wasm"
done
ls -l "$out"/*/*.wasm
