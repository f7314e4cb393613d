# Shared by .ci/run, .ci/editor, .ci/windows and .ci/contracts: printed commands, suites that may fail once, and Debian's packages.
# Sourced, never run.

logs=${CI_LOGS:-build/ci}
first_failures=$logs/first-failures.txt
mkdir -p "$logs"

step() {
  echo "+ $*"
  "$@"
}

# A workbench in a browser sometimes loses a key press or a frame, so such a suite fails only if it fails twice. The log of each
# first failure is kept, the summary lists it, and more than two of them fail the run.
twice() {
  local log
  echo "=== first try"
  log=$(mktemp "$logs/try.XXXXXX")
  if step "$@" 2>&1 | tee "$log"; then
    rm -f "$log"
    return
  fi
  local kept
  kept=$logs/first-failure-$(date +%s)-$RANDOM.log
  mv "$log" "$kept"
  echo "$kept: $*" >>"$first_failures"
  echo "=== second try"
  step "$@"
}

# Installs the Debian packages that are missing.
packages() {
  local missing=() package
  for package; do
    dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  step apt-get update -qq
  step apt-get install -y -qq --no-install-recommends "${missing[@]}"
}
