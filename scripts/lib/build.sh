# Builds the program and says how far it is. Sourced after common.sh, never run.

# Length of a first build (docs/measured/build.md), in thousands of turns of the loop below: what cores share, then what one core does alone.
declare -A build_turns=([quick]=190000 [release]=800000)
build_alone=10000

# Thousands of turns that one core of this machine makes in a minute.
turns_a_minute() {
  local i TIMEFORMAT=%3U taken
  taken=$({ time for ((i = 0; i < 100000; i++)); do :; done; } 2>&1)
  taken=$((10#${taken/[.,]/}))
  echo $((100 * 60000 / (taken > 0 ? taken : 1)))
}

# Where cargo builds: it knows all the ways in which a person may say so.
target_folder() {
  local told
  told=$(cd "$root" && cargo metadata --no-deps --offline --locked --format-version 1 2>/dev/null |
    sed -n 's/.*"target_directory":"\(\([^"\\]\|\\.\)*\)".*/\1/p') || true
  printf '%s\n' "${told:-$root/target}"
}

# The newest version of glibc that a program asks for.
needed_glibc() { # PROGRAM
  objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d _ -f 2
}

build_program() { # PROFILE PROGRAM [ARGUMENTS OF CARGO]
  local profile=$1 program=$2 cores turns
  shift 2
  [ $# -gt 0 ] || set -- build
  if [ ! -e "$program" ]; then
    cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
    turns=$((${build_turns[$profile]:-${build_turns[quick]}} / cores + build_alone))
    say "the first build takes about $((turns / $(turns_a_minute) + 1)) minutes on the $cores cores of this machine"
  fi
  # On a terminal cargo shows a bar of its own.
  if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
    cargo "$1" --profile "$profile" --locked "${@:2}"
    return
  fi
  cargo "$1" --profile "$profile" --locked --quiet --message-format=json-render-diagnostics "${@:2}" | count_crates
}

# Reads what cargo writes for programs and says now and then how many crates are built.
count_crates() {
  local line id status all='' said=$SECONDS begin=$SECONDS
  local -A built=()
  while :; do
    status=0
    read -r -t 15 line || status=$?
    [ "$status" = 0 ] || [ "$status" -gt 128 ] || return 0
    case $line in
    *'"kind":["custom-build"]'*) ;;
    '{"reason":"compiler-artifact"'*)
      id=${line#*'"package_id":"'}
      built[${id%%'"'*}]=1
      ;;
    esac
    if [ $((SECONDS - said)) -ge 15 ]; then
      said=$SECONDS
      all=${all:-$(all_crates)}
      say "built ${#built[@]} of $all crates in $((SECONDS - begin)) s"
    fi
  done
}

all_crates() {
  cargo tree --locked --quiet --prefix none --edges normal,build </dev/null | sed 's/ (\*)$//' | sort -u | grep -c .
}
