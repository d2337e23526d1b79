# One complete shaderc library in .deps/shaderc, where .cargo/config.toml points cargo. Sourced by scripts/setup.
#
# Distributions ship shaderc in pieces: libshaderc_combined.a without the glslang and SPIRV-Tools it calls, split differently
# in each version. So: join the pieces, try the result on a shader, and only where that fails take a shared library, and
# only where that fails too compile the source that comes with the shaderc-sys crate (once, for all build profiles).

# Links a small program against .deps/shaderc and runs it: it must compile and optimise a shader.
shaderc_works() { # FLAGS...
  local trial
  trial=$(mktemp -d)
  cat >"$trial/trial.cpp" <<'CPP'
#include <shaderc/shaderc.h>
#include <cstring>
int main() {
  const char *text = "#version 460\n#extension GL_KHR_shader_subgroup_shuffle : require\n"
                     "layout(local_size_x = 64) in; layout(set = 0, binding = 0) buffer B { uint data[]; };\n"
                     "void main() { data[gl_LocalInvocationIndex] = subgroupShuffleXor(data[0], 1u); }\n";
  auto compiler = shaderc_compiler_initialize();
  auto options = shaderc_compile_options_initialize();
  shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_performance);
  auto result = shaderc_compile_into_spv(compiler, text, strlen(text), shaderc_compute_shader, "trial", "main", options);
  return shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success ? 0 : 1;
}
CPP
  c++ -o "$trial/trial" "$trial/trial.cpp" "$@" -lpthread -lm >>"$deps/log/shaderc.log" 2>&1 &&
    LD_LIBRARY_PATH=$deps/shaderc "$trial/trial" >>"$deps/log/shaderc.log" 2>&1
  local result=$?
  rm -rf "$trial"
  return $result
}

# The pieces that this system has, in the order of who calls whom. Which exist differs by version: OGLCompiler and HLSL went
# away, MachineIndependent and its like became part of glslang.
shaderc_pieces() {
  local folder name
  for folder in "/usr/lib/$(uname -m)-linux-gnu" /usr/lib64 /usr/lib; do
    [ -e "$folder/libshaderc_combined.a" ] || continue
    for name in shaderc_combined glslang MachineIndependent GenericCodeGen OSDependent OGLCompiler HLSL SPIRV \
      SPIRV-Tools-opt SPIRV-Tools; do
      [ -e "$folder/lib$name.a" ] && echo "$folder/lib$name.a"
    done
    return
  done
}

join_pieces() { # PIECE...
  { # ar's own little language; relative names, because it has no quotes for a path with spaces
    echo 'create libshaderc_combined.a'
    printf 'addlib %s\n' "$@"
    printf 'save\nend\n'
  } | (cd "$deps/shaderc" && ar -M) >>"$deps/log/shaderc.log" 2>&1
}

# The folder of shaderc's source, which comes with the shaderc-sys crate.
shaderc_source() {
  local host manifest
  host=$(rustc -vV | sed -n 's/^host: //p')
  (cd "$root" && quietly "$deps/log/shaderc.log" cargo fetch --locked --target "$host") || return
  manifest=$(cd "$root" && cargo metadata --locked --filter-platform "$host" --format-version 1 |
    grep -o '"manifest_path":"[^"]*/shaderc-sys-[^"]*/Cargo.toml"' | head -n 1 | cut -d '"' -f 4)
  printf '%s\n' "${manifest%/Cargo.toml}/build"
}

# Compiles the one static library with all that it calls.
make_shaderc() { # SOURCE BUILD INTO [ARGUMENTS OF CMAKE]
  command -v ninja >/dev/null && local -x CMAKE_GENERATOR=Ninja
  quietly "$deps/log/shaderc.log" cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DENABLE_GLSLANG_BINARIES=OFF -DSHADERC_SKIP_TESTS=ON \
    -DSHADERC_SKIP_EXAMPLES=ON -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF "${@:4}" &&
    quietly "$deps/log/shaderc.log" cmake --build "$2" --target shaderc_combined -j "$(nproc)" &&
    find "$2" -name libshaderc_combined.a -exec cp {} "$3/" \; && [ -e "$3/libshaderc_combined.a" ]
}

compile_shaderc() {
  local source build=$deps/shaderc-build
  say "compiling shaderc from source, once: about $((10 / $(nproc) + 1)) minutes on this machine"
  source=$(shaderc_source) && make_shaderc "$source" "$build" "$deps/shaderc" &&
    shaderc_works -I"$source/shaderc/libshaderc/include" -L"$deps/shaderc" -lshaderc_combined && rm -rf "$build"
}

provide_shaderc() {
  local pieces made_from=$deps/shaderc/made-from fingerprint shared name
  pieces=$(shaderc_pieces)
  fingerprint=$(stat -L -c '%n %s %Y' $pieces 2>/dev/null || true)
  compgen -G "$deps/shaderc/libshaderc_combined.*" >/dev/null && [ -e "$made_from" ] && [ "$(cat "$made_from")" = "$fingerprint" ] && return

  rm -rf "$deps/shaderc"
  mkdir -p "$deps/shaderc" "$deps/log"
  if [ -n "$pieces" ] && join_pieces $pieces && shaderc_works -L"$deps/shaderc" -lshaderc_combined; then
    say "joined the system's shaderc pieces into .deps/shaderc"
  else
    rm -f "$deps/shaderc"/*
    for shared in /usr/lib/"$(uname -m)"-linux-gnu/libshaderc{,_shared}.so /usr/lib{64,}/libshaderc{,_shared}.so; do
      [ -e "$shared" ] || continue
      name=${shared##*/}
      ln -s "$shared" "$deps/shaderc/$name"
      ln -s "$name" "$deps/shaderc/libshaderc_combined.so" # as .cargo/config.toml names it
      shaderc_works -L"$deps/shaderc" -l"$(basename "${name#lib}" .so)" && break
      rm "$deps/shaderc/$name" "$deps/shaderc/libshaderc_combined.so"
    done
    if [ -z "$(ls "$deps/shaderc")" ]; then
      install_levels source
      compile_shaderc || die "no shaderc library: see .deps/log/shaderc.log"
    fi
  fi
  printf '%s\n' "$fingerprint" >"$made_from"
}
