#!/usr/bin/env bash
# Builds ledger-host-<protocol>.wasm with Debian's own Rust; installs nothing.
#   build.sh [-o FOLDER] [-t FOLDER] [PROTOCOL…]
# -o: where the modules go (default: beside this script). -t: where the build works (default: target, beside this script).
# Without -o the hashes of what was built are written to hashes.txt, and a digest of its inputs to inputs.sha256. The crate versions stand in protocol-*/Cargo.toml.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$here work=$here/target record=yes
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
  set -- protocol-*
  set -- "${@#protocol-}"
fi

# The bytes depend on the compiler; this is the one the committed modules were made with.
compiler='rustc 1.96.0'
library=/usr/lib/rustlib/src/rust/library
missing=
[ -x /usr/bin/rustc ] || missing+=' rustc-web'
[ -x /usr/bin/cargo ] || missing+=' cargo-web'
[ -e $library/Cargo.lock ] || missing+=' rust-web-src'
command -v wasm-ld-19 >/dev/null || missing+=' lld-19'
command -v patch >/dev/null || missing+=' patch'
if [ -n "$missing" ]; then
  echo "ledger-host: these Debian packages are missing:$missing" >&2
  echo "  apt-get install -y --no-install-recommends$missing" >&2
  exit 1
fi
case $(/usr/bin/rustc --version) in
  "$compiler "*) ;;
  *) echo "ledger-host: built with $compiler, but /usr/bin/rustc is $(/usr/bin/rustc --version)" >&2 && exit 1 ;;
esac

mkdir -p "$out" "$work"
out=$(cd "$out" && pwd) work=$(cd "$work" && pwd)
export RUSTC=/usr/bin/rustc
export RUSTC_BOOTSTRAP=1 # -Z build-std on a stable compiler
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_BUILD_RUSTFLAGS

for protocol; do
  [ -e "$here/protocol-$protocol" ] || { echo "ledger-host: there is no protocol-$protocol" >&2 && exit 1; }
  source=$work/source-$protocol vendor=$work/vendor-$protocol
  rm -rf "$source" "$vendor"
  # Cargo marks what it builds with the path from the manifest's folder if that holds the source, else with the whole path,
  # which would make the bytes depend on the machine: so everything of ours goes into one folder.
  mkdir -p "$source"
  cp -r "$here/src" "$here/patches" "$here/protocol-$protocol/." "$source/"
  manifest=$source/Cargo.toml
  sed -i 's#"\.\./#"#' "$manifest"
  # Cargo compares what it downloads with the checksums in Cargo.lock, the standard library's dependencies included.
  (cd "$work" && /usr/bin/cargo vendor --quiet --locked --versioned-dirs --manifest-path "$manifest" \
    -s $library/Cargo.toml "$vendor" >/dev/null)
  host=$(echo "$vendor"/soroban-env-host-*)
  # -F0: the lines around the change must be the ones that the patch was written for.
  for change in "$here"/patches/*.patch; do patch --quiet -p1 -F0 -d "$host" <"$change"; done
  sed -i 's/"files":{[^}]*}/"files":{}/' "$host/.cargo-checksum.json"

  CARGO_TARGET_DIR=$work/build-$protocol \
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C linker=wasm-ld-19 -C link-arg=-zstack-size=8388608 \
--remap-path-prefix=$vendor=/vendor --remap-path-prefix=$source=/ledger-host \
--remap-path-prefix=$(readlink -f $library/..)=/rust --remap-path-prefix=$(dirname $library)=/rust" \
    /usr/bin/cargo build --release --frozen --manifest-path "$manifest" \
    --config 'source.crates-io.replace-with="vendored"' --config "source.vendored.directory=\"$vendor\"" \
    -Z build-std=std,panic_abort --target wasm32-unknown-unknown
  cp "$work/build-$protocol/wasm32-unknown-unknown/release/ledger_host.wasm" "$out/ledger-host-$protocol.wasm"
  ls -l "$out/ledger-host-$protocol.wasm"
done
if [ $record = yes ]; then
  (cd "$here" && sha256sum ledger-host-*.wasm >hashes.txt && cat hashes.txt)
  "$here/../../scripts/wasmInputs.sh" network/host >"$here/inputs.sha256"
fi
