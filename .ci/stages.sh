# Shared by .ci/run, .ci/editor and .ci/windows: printed commands, suites that may fail once, and stages with a time, a limit,
# their own log and a line in the summary. Sourced, never run.

logs=${CI_LOGS:-build/ci}
first_failures=$logs/first-failures.txt
mkdir -p "$logs"

step() {
  echo "+ $*"
  "$@"
}

# A workbench in a browser sometimes loses a key press or a frame, so such a suite fails only if it fails twice. First failures
# are listed in the summary, and more than two of them fail the run.
twice() {
  echo "=== first try"
  step "$@" && return
  echo "$*" >>"$first_failures"
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

# Totals the tests that a log reports, from the closing lines "N passed, N failed" of our own runners, node:test and cargo. If
# there was a second try, the first does not count. Prints "PASSED FAILED".
count_tests() {
  awk '
    /^=== first try$/ { passed_before = passed; failed_before = failed }
    /^=== second try$/ { passed = passed_before; failed = failed_before }
    /^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3 }
    /^ℹ pass [0-9]+$/ { passed += $3 }
    /^ℹ fail [0-9]+$/ { failed += $3 }
    /^test result: / { passed += $4; failed += $6 }
    END { print passed + 0, failed + 0 }
  ' "$1"
}

summary=()
passed=0
failed=0

# stage NAME LIMIT COMMAND…: runs a command for at most LIMIT (as timeout takes it) and records how it ended.
stage() {
  local name=$1 limit=$2 begun=$SECONDS status=0 words counts
  shift 2
  echo
  echo "=== stage $name: $*"
  timeout --kill-after=20 "$limit" "$@" 2>&1 | tee "$logs/$name.log" || status=${PIPESTATUS[0]}
  case $status in
    0) words=ok ;;
    124 | 137) words="FAILED: stopped after $limit" ;;
    *) words="FAILED with $status" ;;
  esac
  read -r -a counts < <(count_tests "$logs/$name.log")
  passed=$((passed + counts[0]))
  failed=$((failed + counts[1]))
  # A stage that failed without a failed test counts as one failure.
  [[ $status == 0 || ${counts[1]} != 0 ]] || failed=$((failed + 1))
  summary+=("$(printf '%-12s %3d:%02d  %s' "$name" $(((SECONDS - begun) / 60)) $(((SECONDS - begun) % 60)) "$words")")
  echo "=== stage $name: $words"
  return "$status"
}

# Prints the stages with their times and the first failures; the last line is the total of all tests. Fails if anything failed.
summarise() {
  local count=0
  echo
  echo "=== summary"
  printf '%s\n' "${summary[@]}"
  printf '%-12s %3d:%02d\n' total $((SECONDS / 60)) $((SECONDS % 60))
  if [[ -s $first_failures ]]; then
    count=$(wc -l <"$first_failures")
    echo
    echo "$count failed at the first try and passed or failed at the second; more than two fail the run:"
    sed 's/^/  /' "$first_failures"
  fi
  ((count <= 2)) || failed=$((failed + 1))
  echo
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
