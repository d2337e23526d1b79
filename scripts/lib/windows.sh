# The program for Windows, built here with MinGW. Sourced by scripts/package, scripts/test and scripts/lib/windows-build after common.sh.
#
# It is built where cmake, python3, MinGW and Rust's library for Windows are installed (rustup target add x86_64-pc-windows-gnu), or the
# source of that library. Elsewhere, as root with debootstrap, it is built in a chroot of Debian sid in .deps/windows, which has all of it.
. "$root/scripts/lib/packages.sh"
. "$root/scripts/lib/drivers.sh"
. "$root/scripts/lib/shaderc.sh"

windows_target=x86_64-pc-windows-gnu
mingw=x86_64-w64-mingw32
windows=$deps/windows
windows_chroot=$windows/sid
windows_log=$deps/log/windows.log
windows_programs=("$windows/target/$windows_target/release/"{meniscus,meniscusw}.exe)
windows_packages=(rustc cargo rust-src gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix binutils-mingw-w64-x86-64
  cmake ninja-build python3 g++ git pkg-config)

has_windows_library() { compgen -G "$(rustc --print target-libdir --target $windows_target 2>/dev/null)/libstd-*"; }
has_library_source() { ls "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/std/Cargo.toml" 2>/dev/null; }
# The compiler with POSIX threads, which C++ needs, where there are two.
mingw_tool() { command -v "$mingw-$1-posix" || command -v "$mingw-$1"; } # gcc, g++
can_build_windows() {
  { has_windows_library || has_library_source; } && mingw_tool g++ && command -v cmake && command -v python3
} >/dev/null
has_windows_chroot() { [ -e "$windows_chroot/.made" ]; }
can_make_windows_chroot() { [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null && [ -n "$(mirror_line)" ]; }

# Runs a command in the chroot. This checkout is at its own path there; the mounts end with the command.
in_windows_chroot() { # COMMAND...
  local registry=${CARGO_HOME:-$HOME/.cargo}/registry
  mkdir -p "$registry" /tmp/.X11-unix
  as_root unshare --mount bash -euc '
    chroot=$1 root=$2 deps=$3 registry=$4
    shift 4
    mount -t proc proc "$chroot/proc"
    mount --rbind /dev "$chroot/dev"
    for folder in "$root" "$deps" /tmp/.X11-unix; do
      mkdir -p "$chroot$folder"
      mount --bind "$folder" "$chroot$folder"
    done
    mkdir -p "$chroot/root/.cargo/registry"
    mount --bind "$registry" "$chroot/root/.cargo/registry"
    exec chroot "$chroot" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      bash -euc "cd \"\$0\"; exec \"\$@\"" "$root" "$@"' - "$windows_chroot" "$root" "$(realpath "$deps")" "$registry" "$@"
}

# Makes the chroot where there is none, and installs what it lacks of these packages.
provide_windows_chroot() { # PACKAGE...
  local missing
  if ! has_windows_chroot; then
    say "making a chroot of Debian sid in .deps/windows (about 3 GB)"
    rm -rf "$windows_chroot"
    mkdir -p "$windows_chroot"
    quietly "$windows_log" debootstrap --variant=minbase --include=ca-certificates sid "$windows_chroot" "$(mirror_line)" || return
    # The certificates that this machine trusts; a mirror may be the copy of one day.
    cp /etc/ssl/certs/ca-certificates.crt "$windows_chroot/etc/ssl/certs/"
    echo 'Acquire::Check-Valid-Until "false";' >"$windows_chroot/etc/apt/apt.conf.d/90mirror"
    touch "$windows_chroot/.made"
  fi
  cp -L /etc/resolv.conf "$windows_chroot/etc/"
  missing=$(in_windows_chroot dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' "$@" 2>/dev/null | awk '$2 ~ /^.i/ { print $1 }' || true)
  missing=$(printf '%s\n' "$@" | grep -vxF "$missing" || true)
  [ -n "$missing" ] || return 0
  say "installing in it:" $missing
  quietly "$windows_log" in_windows_chroot apt-get -q update &&
    quietly "$windows_log" in_windows_chroot env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing &&
    in_windows_chroot apt-get clean
}

# One static shaderc library for Windows in .deps/windows/lib, beside those of MinGW that the program shall contain: the linker finds no
# shared ones beside them.
provide_windows_shaderc() {
  local made_from=$windows/lib/made-from fingerprint source name
  fingerprint="$(grep -A 1 '"shaderc-sys"' "$root/Cargo.lock" | tail -n 1) $("$(mingw_tool gcc)" -dumpfullversion)"
  [ "$(cat "$made_from" 2>/dev/null)" = "$fingerprint" ] && return
  say "compiling shaderc for Windows, once: about $((20 / $(nproc) + 1)) minutes"
  rm -rf "$windows/lib" "$windows/shaderc-build"
  mkdir -p "$windows/lib"
  # Almost all shaders are compiled ahead, so the compiler itself need not be fast: half the time to build it.
  source=$(shaderc_source) &&
    make_shaderc "$source" "$windows/shaderc-build" "$windows/lib" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_SYSTEM_NAME=Windows \
      -DCMAKE_C_COMPILER="$(mingw_tool gcc)" -DCMAKE_CXX_COMPILER="$(mingw_tool g++)" -DCMAKE_RC_COMPILER="$mingw-windres" || return
  for name in stdc++ gcc_eh winpthread; do
    cp "$("$(mingw_tool g++)" -print-file-name="lib$name.a")" "$windows/lib/"
  done
  cp "$windows/lib/libgcc_eh.a" "$windows/lib/libgcc_s.a"
  rm -rf "$windows/shaderc-build"
  printf '%s\n' "$fingerprint" >"$made_from"
}

windows_cargo() { # COMMAND ARGUMENTS OF CARGO
  local name=${windows_target//-/_} options=(--target "$windows_target" --target-dir "$windows/target") upper
  upper=$(tr 'a-z' 'A-Z' <<<"$name")
  options+=(--config "target.$windows_target.shaderc.rustc-link-search=['native=$windows/lib']")
  options+=(--config "target.$windows_target.shaderc.rustc-link-lib=['static:-bundle=shaderc_combined']")
  if ! has_windows_library >/dev/null; then
    export RUSTC_BOOTSTRAP=1
    options+=(-Zbuild-std=std,panic_unwind)
  fi
  env "CC_$name=$(mingw_tool gcc)" "CXX_$name=$(mingw_tool g++)" "AR_$name=$mingw-ar" "CARGO_TARGET_${upper}_LINKER=$(mingw_tool gcc)" \
    cargo "$1" "${options[@]}" "${@:2}"
}

# Builds where it is called: on this machine, or in the chroot.
build_windows_here() {
  local program terms
  provide_windows_shaderc || return
  for program in meniscus meniscusw; do
    windows_cargo rustc --locked --release --bin "$program" -- -C link-arg=-static-libgcc || return
  done
  # MinGW's own libraries are within the program, too.
  terms=$(compgen -G '/usr/share/doc/mingw-w64-*-dev/copyright' | head -n 1)
  [ -z "$terms" ] || cp "$terms" "$windows/lib/copyright"
}

# Installs Wine and a Vulkan driver in the chroot, if this machine itself has no Wine.
provide_wine() {
  command -v wine >/dev/null || provide_windows_chroot wine wine64 libvulkan1 mesa-vulkan-drivers
}

# Builds the program for Windows, in the chroot if this machine itself cannot.
build_windows() {
  "$root/scripts/setup" --build || return # build scripts run on this system
  if can_build_windows; then
    say "building for Windows"
    build_windows_here
  elif has_windows_chroot || can_make_windows_chroot; then
    provide_windows_chroot "${windows_packages[@]}" || return
    say "building for Windows in .deps/windows$([ -e "${windows_programs[0]}" ] || echo ": the first time takes half an hour of two cores")"
    in_windows_chroot scripts/lib/windows-build --here
  else
    say "cannot build for Windows here: it needs cmake, python3, MinGW (g++-mingw-w64-x86-64-posix) and rustup target add" \
      "$windows_target, or root and debootstrap for a chroot"
    return 1
  fi
}

# Libraries in the program for Windows that NOTICES.txt does not name.
without_notice() {
  cd "$root" && cargo tree --locked --quiet --target "$windows_target" --prefix none --edges normal,no-proc-macro --format '{p}' | grep -v ' (/' |
    sed -E 's/ \(\*\)$//; s/ v([0-9][^ ]*).*/ \1/' | sort -u | while read -r library; do
    grep -q "^$library  " NOTICES.txt || printf '%s\n' "$library"
  done
}

# Packs the programs, licences and a short text into an archive; prints its path.
package_windows() { # FOLDER
  local into=$1 version name work made file missing
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
  name=meniscus-$version-x86_64-windows
  command -v python3 >/dev/null || die "python3 is missing: it writes the archive"
  missing=$(without_notice)
  [ -z "$missing" ] || die "NOTICES.txt lacks" $missing "(MENISCUS_ACCEPT=1 cargo test --test licences)"
  build_windows || die "the build for Windows failed"
  work=$(mktemp -d) made=$work/$name
  mkdir -p "$made"
  cp "${windows_programs[@]}" "$made/"
  text() { sed 's/$/\r/' "$1" >"$made/$2"; } # line ends of Windows
  for file in README.md CHANGELOG.md; do text "$root/$file" "$file"; done
  for file in LICENSE-MIT LICENSE-APACHE; do text "$root/$file" "$file.txt"; done
  text "$root/NOTICES.txt" NOTICES.txt
  [ ! -e "$windows/lib/copyright" ] || text "$windows/lib/copyright" NOTICES-MinGW.txt
  text - READ-ME-FIRST.txt <<TEXT
Meniscus $version for Windows 10 and 11 on x86-64

meniscusw.exe    opens the window
meniscus.exe     the same from a terminal, and all other commands:

    .\\meniscus list                                  GPUs, settings, presets
    .\\meniscus headless --png picture.png            a picture without a window
    .\\meniscus verify --quick                        the GPU against the CPU
    .\\meniscus --help

Nothing is installed; the folder can be anywhere. It needs a Vulkan driver (1.2 or newer), which comes with the current driver
of an AMD, Intel or NVIDIA GPU. Presets are in %APPDATA%\\meniscus, all else in %LOCALAPPDATA%\\meniscus, screenshots in Pictures.

Built with MinGW-w64 and tried under Wine only, never yet on Windows itself.
TEXT
  rm -f "$into/$name.zip"
  (cd "$work" && python3 -m zipfile -c "$into/$name.zip" "$name")
  rm -rf "$work"
  say "$into/$name.zip ($(du -h "$into/$name.zip" | cut -f 1))"
  (cd "$into" && sha256sum "$name.zip" >"$name.zip.sha256")
}
