# Steps of a test run: each has a log, a time and counts of what passed and failed. Sourced by scripts/test, never run.

logs=$root/out/test
passed=0 failed=0 skipped=0
step_limit=3600 # seconds
step_seconds=0  # of the last step
give_way=()     # command before those that run beside another step

# Backtraces are of panics only: reflection of shaders makes errors by the hundred, and a backtrace of each takes time.
# Tests neither read nor change what a person keeps, and start from the same environment everywhere.
prepare_environment() {
  export CARGO_TERM_COLOR=never CARGO_TERM_PROGRESS_WHEN=never RUST_BACKTRACE=1 RUST_LIB_BACKTRACE=0
  export XDG_STATE_HOME=$logs/home XDG_CACHE_HOME=$logs/home
  unset ENABLE_VULKAN_RENDERDOC_CAPTURE DISPLAY WAYLAND_DISPLAY VK_INSTANCE_LAYERS VK_ICD_FILENAMES VK_DRIVER_FILES MENISCUS_CHECKS
  rm -rf "$logs" && mkdir -p "$logs"
}

log_of() { # TITLE
  echo "$logs/$(tr -cs 'a-zA-Z0-9.\n' '-' <<<"$1").log"
}

# Runs a command as one step. A log with test summaries counts each of its tests, any other counts as one.
step() { # TITLE COMMAND...
  local title=$1 begin=$SECONDS log ok=true
  shift
  log=$(log_of "$title")
  printf 'test: %s ... ' "$title" >&2
  timeout --foreground "$step_limit" "${give_way[@]}" "$@" >"$log" 2>&1 </dev/null || ok=false
  step_seconds=$((SECONDS - begin))
  count "$log" "$ok"
}

# Starts a step that waits most of the time, such as that of the window. The steps up to `join_beside` run meanwhile and give way to it.
beside() { # TITLE COMMAND...
  beside_title=$1 beside_begin=$SECONDS
  shift
  (timeout --foreground "$step_limit" "$@" >"$(log_of "$beside_title")" 2>&1 </dev/null && echo "$((SECONDS - beside_begin))" >"$logs/beside") &
  beside_process=$!
  give_way=(nice -n 10)
}

# Waits for the step beside the others, and counts it.
join_beside() {
  local ok=true
  printf 'test: %s ... ' "$beside_title" >&2
  wait "$beside_process" || ok=false
  give_way=()
  step_seconds=$(cat "$logs/beside" 2>/dev/null || echo $((SECONDS - beside_begin)))
  count "$(log_of "$beside_title")" "$ok"
}

count() { # LOG OK
  local log=$1 ok=$2 here_passed here_failed here_ignored
  read -r here_passed here_failed here_ignored < <(awk '
    /^test result: / { for (i = 1; i < NF; i++) {
      if ($(i + 1) ~ /^passed/) p += $i; if ($(i + 1) ~ /^failed/) f += $i; if ($(i + 1) ~ /^ignored/) s += $i } }
    END { print p + 0, f + 0, s + 0 }' "$log")
  if [ $((here_passed + here_failed + here_ignored)) = 0 ] && $ok; then here_passed=1; fi
  if [ "$here_failed" = 0 ] && ! $ok; then here_failed=1; fi
  passed=$((passed + here_passed)) failed=$((failed + here_failed)) skipped=$((skipped + here_ignored))
  printf '%d passed, %d failed (%d s)\n' "$here_passed" "$here_failed" "$step_seconds" >&2
  sed -n 's/^test .* \.\.\. ignored, /    skipped: /p' "$log" | sort | uniq -c | sed 's/^ *\([0-9]*\) */    \1 /' >&2
  [ "$here_failed" = 0 ] || show_failure "$log" >&2
}

# What a log says about failures: compiler errors, the reports of failed tests without their stack traces, deaths by signal.
show_failure() { # LOG
  awk '/^(failures:|error|warning)/ || /signal: / { on = 1 } /^test result: / || /^ +Running / { on = 0 }
       /^ +[0-9]+: / || /^ +at / { next } on' "$1" | head -n 150 | grep . || tail -n 40 "$1"
  echo "    all of it: $1"
}

skip() { # TITLE: REASON
  say "skipped: $*"
  skipped=$((skipped + 1))
}

# A step with a cargo tool that a system may lack.
lint() { # TOOL COMMAND...
  local tool=$1
  shift
  if cargo "$tool" --version >/dev/null 2>&1; then step "$tool" "$@"; else skip "$tool: cargo has no $tool here"; fi
}

# Sets `on_driver`, the command before one that runs on a driver with one vector width of Mesa's software driver. Each width has its
# own shader cache: Mesa's does not know of widths and would hand out binaries of another. Most of the time of a test is the compiler
# of that driver: it does not optimise (docs/measured/build.md).
select_driver() { # DRIVER WIDTH
  on_driver=(env ${1:+VK_DRIVER_FILES="$1"} LP_NATIVE_VECTOR_WIDTH="$2" GALLIVM_PERF=nopt
    MESA_SHADER_CACHE_DIR="$deps/shader-cache/$2" ${layer_path:+VK_LAYER_PATH="$layer_path"}
    MENISCUS_LOADER="$loader" MENISCUS_LIBRARY_PATH="$library_path" "$runner=scripts/lib/under")
}
on() { # DRIVER WIDTH TITLE COMMAND...
  select_driver "$1" "$2"
  "${as:-step}" "$3" "${on_driver[@]}" "${@:4}"
}
runner=CARGO_TARGET_$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')_RUNNER

# The slowest tests of this run, then the counts.
finish() {
  local slowest
  slowest=$(sed -nE 's/^test (.*) \.\.\. [a-zA-Z]+ <([0-9.]+)s>$/\2 \1/p; s/^time +([0-9.]+) s  ([^ ]*\/.*)$/\1 \2/p' "$logs"/*.log |
    sort -rn | head -n 10)
  if [ -n "$slowest" ]; then
    say "the slowest tests, in seconds:"
    awk '{ printf "    %7.1f  %s\n", $1, substr($0, index($0, " ") + 1) }' <<<"$slowest" >&2
  fi
  if [ "$skipped" = 0 ]; then
    printf '%d passed, %d failed\n' "$passed" "$failed"
  else
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  fi
  [ "$failed" = 0 ]
  exit
}
