# What every script here needs: where things lie, how to speak, how to become root. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
deps=$root/.deps # everything fetched or made for this checkout; deleting it costs time, nothing else
# Services and containers may start us without it.
: "${HOME:=$(getent passwd "$(id -u)" 2>/dev/null | cut -d : -f 6)}"
export HOME="${HOME:-/}"
export PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"

say() { printf '%s\n' "${0##*/}: $*" >&2; }
die() {
  say "$*"
  exit 1
}

# Runs a command as root; without root and sudo it says what to type instead.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null && { sudo -n true || : >/dev/tty; } 2>/dev/null; then
    sudo "$@" # asks on the terminal itself, also where our input and output are redirected
  else
    say "root is needed for: $*"
    return 1
  fi
}

# Runs a command whose output matters only when it fails: quietly LOG COMMAND...
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >>"$log" 2>&1 </dev/null && return
  tail -n 15 "$log" | sed 's/^/    /' >&2
  say "failed: $* (all of it: $log)"
  return 1
}
