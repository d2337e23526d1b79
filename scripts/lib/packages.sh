# The system packages: names by package manager, what is missing, how it is installed. Sourced by scripts/setup.
#
# A line is "name | what is lost without it"; where a distribution does not have a package, setup says the second half and goes on.

# Level "run": the Vulkan loader and what winit opens at run time (its X11 and Wayland libraries are not linked).
# Level "build": a C++ compiler (the linker Rust calls, and libstdc++ for shaderc) and the pieces of shaderc.
# Level "web": a browser without a window, which brings its own software driver.
# Level "test": validation, an X server without a screen, hands for it, screenshots, a Wayland compositor.
packages_for() { # LEVEL
  case $manager:$1 in
  apt:run)
    cat <<'LIST'
libvulkan1 | nothing can be drawn: it is the Vulkan loader
libx11-6 | no window under X11
libx11-xcb1 | no window under X11
libxcursor1 | no window under X11
libxi6 | no window under X11
libxkbcommon-x11-0 | no window under X11
libxkbcommon0 | no keyboard
libwayland-client0 | no window under Wayland
LIST
    ;;
  apt:build)
    cat <<'LIST'
ca-certificates | cargo cannot fetch crates
g++ | nothing can be built: it is the linker and the C++ library
libshaderc-dev | shaderc is compiled from source, once
LIST
    ;;
  apt:source) printf '%s | shaderc cannot be compiled from source\n' cmake make git python3 ;;
  apt:test)
    cat <<'LIST'
vulkan-validationlayers | GPU tests cannot look for wrong Vulkan calls
xvfb | the window is not tested
xdotool | the window is not tested: nothing moves the pointer
weston | the window is not tested under Wayland
xsettingsd | no test changes the display's scale
openbox | the window is not tested under a window manager
LIST
    ;;
  apt:web) echo 'chromium-headless-shell | the web page is not tested' ;;
  dnf:web) echo 'chromium-headless | the web page is not tested' ;;
  pacman:web) echo 'chromium | the web page is not tested' ;;
  apt:driver) echo 'mesa-vulkan-drivers | no Vulkan driver: nothing can be drawn' ;;

  dnf:run)
    cat <<'LIST'
vulkan-loader | nothing can be drawn: it is the Vulkan loader
libX11 | no window under X11
libX11-xcb | no window under X11
libXcursor | no window under X11
libXi | no window under X11
libxkbcommon-x11 | no window under X11
libxkbcommon | no keyboard
libwayland-client | no window under Wayland
LIST
    ;;
  dnf:build)
    cat <<'LIST'
gcc-c++ | nothing can be built: it is the linker and the C++ library
libshaderc-devel | shaderc is compiled from source, once
LIST
    ;;
  dnf:source) printf '%s | shaderc cannot be compiled from source\n' cmake make git python3 ;;
  dnf:test)
    cat <<'LIST'
vulkan-validation-layers | GPU tests cannot look for wrong Vulkan calls
xorg-x11-server-Xvfb | the window is not tested
xdotool | the window is not tested: nothing moves the pointer
weston | the window is not tested under Wayland
xsettingsd | no test changes the display's scale
openbox | the window is not tested under a window manager
LIST
    ;;
  dnf:driver) echo 'mesa-vulkan-drivers | no Vulkan driver: nothing can be drawn' ;;

  pacman:run)
    cat <<'LIST'
vulkan-icd-loader | nothing can be drawn: it is the Vulkan loader
libx11 | no window under X11
libxcursor | no window under X11
libxi | no window under X11
libxkbcommon-x11 | no window under X11
libxkbcommon | no keyboard
wayland | no window under Wayland
LIST
    ;;
  pacman:build)
    cat <<'LIST'
gcc | nothing can be built: it is the linker and the C++ library
shaderc | shaderc is compiled from source, once
LIST
    ;;
  pacman:source) printf '%s | shaderc cannot be compiled from source\n' cmake make git python ;;
  pacman:test)
    cat <<'LIST'
vulkan-validation-layers | GPU tests cannot look for wrong Vulkan calls
xorg-server-xvfb | the window is not tested
xdotool | the window is not tested: nothing moves the pointer
weston | the window is not tested under Wayland
xsettingsd | no test changes the display's scale
openbox | the window is not tested under a window manager
LIST
    ;;
  pacman:driver)
    # Arch has one package a vendor; the software driver stands in where the machine shows no GPU that Mesa knows.
    case $(cat /sys/bus/pci/devices/*/vendor 2>/dev/null | sort -u | tr '\n' ' ') in
    *0x1002*) echo 'vulkan-radeon | the AMD GPU cannot be used' ;;
    *0x8086*) echo 'vulkan-intel | the Intel GPU cannot be used' ;;
    *) echo 'vulkan-swrast | no Vulkan driver: nothing can be drawn' ;;
    esac
    ;;
  pacman:software) echo 'vulkan-swrast | no software Vulkan driver: the GPU tests use the GPU' ;;
  *:software) packages_for driver ;;
  esac
}

find_manager() {
  for manager in apt-get dnf pacman; do
    command -v $manager >/dev/null && break
    manager=none
  done
  manager=${manager%-get}
}

# Is there a driver whose manifest names a library that exists? Optional: only such as match a pattern (lvp: the software one).
has_driver() { # [PATTERN]
  local manifest library
  for manifest in /usr/share/vulkan/icd.d/${1:-}*.json /etc/vulkan/icd.d/${1:-}*.json; do
    [ -e "$manifest" ] || continue
    library=$(sed -n 's/.*"library_path"[^"]*"\([^"]*\)".*/\1/p' "$manifest")
    case $library in
    /*) [ -e "$library" ] && return ;;
    *) compgen -G "/usr/lib*/$library*" >/dev/null && return
      compgen -G "/usr/lib/*/$library*" >/dev/null && return ;;
    esac
  done
  return 1
}

# Of the names given, those that are not installed.
not_installed() {
  [ $# -gt 0 ] || return 0
  case $manager in
  apt)
    { dpkg-query -W -f='${Package} ${db:Status-Abbrev}\n' "$@" 2>/dev/null || true; } | awk -v want="$*" '
      $2 ~ /^.i/ { have[$1] = 1 }
      END { n = split(want, name, " "); for (i = 1; i <= n; i++) if (!(name[i] in have)) print name[i] }'
    ;;
  dnf) for name in "$@"; do rpm -q --quiet --whatprovides "$name" || echo "$name"; done ;;
  pacman) pacman -T "$@" || true ;;
  esac
}

# Of the names given, those that the package lists on this machine do not offer.
not_offered() {
  case $manager in
  apt)
    apt-cache policy "$@" | awk -v want="$*" '
      /^[^ ]/ { name = $1; sub(/:$/, "", name); sub(/:.*/, "", name) }
      /Candidate:/ && $2 != "(none)" { have[name] = 1 }
      END { n = split(want, w, " "); for (i = 1; i <= n; i++) if (!(w[i] in have)) print w[i] }'
    ;;
  dnf) for name in "$@"; do dnf -q repoquery --whatprovides "$name" 2>/dev/null | grep -q . || echo "$name"; done ;;
  pacman) for name in "$@"; do pacman -Si "$name" >/dev/null 2>&1 || echo "$name"; done ;;
  esac
}

refresh_lists() {
  # New lists without a full upgrade may break a system of rolling releases: that step is left to the person.
  if [ "$manager" = pacman ]; then
    say "if packages are missing below, the lists are old: run pacman -Syu, then start this again"
    return 1
  fi
  say "fetching the package lists"
  case $manager in
  apt) quietly "$log" as_root apt-get -q -o DPkg::Lock::Timeout=120 update ;;
  dnf) quietly "$log" as_root dnf -q makecache ;;
  esac
}

install_now() {
  case $manager in
  apt) quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=120 --no-install-recommends install "$@" ;;
  dnf) quietly "$log" as_root dnf -q -y --setopt=install_weak_deps=False install "$@" ;;
  pacman) quietly "$log" as_root pacman -S --noconfirm --needed "$@" ;;
  esac
}

# Installs what is missing of the levels given and says what cannot be had. What a distribution does not offer is
# remembered in .deps/not-offered until its package lists change, so that a second run asks nobody.
install_levels() { # LEVEL...
  local lines missing absent name log=$deps/log/packages.log memory=$deps/not-offered lists=/var/lib/$manager/lists
  lines=$(for level in "$@"; do packages_for "$level"; done)
  missing=$(not_installed $(awk '{print $1}' <<<"$lines"))
  if [ -e "$memory" ] && [ ! "$lists" -nt "$memory" ] && [ ! "$root/scripts/lib/packages.sh" -nt "$memory" ]; then
    missing=$(grep -vxFf "$memory" <<<"$missing") || true
  else
    rm -f "$memory"
  fi
  [ -n "$missing" ] || return 0

  cost_of() { sed -n "s/^$1 *|//p" <<<"$lines"; }
  absent=$(not_offered $missing)
  if [ -n "$absent" ]; then # an empty or old list looks the same as a package that does not exist
    if refresh_lists; then
      absent=$(not_offered $missing) && mkdir -p "$deps" && printf '%s\n' "${absent:--}" >>"$memory"
    else
      say "the package lists could not be fetched; without a network, install by hand:" $absent
    fi
    missing=$(grep -vxF "$absent" <<<"$missing") || true
  fi
  for name in $absent; do
    say "this system does not offer $name:$(cost_of "$name")"
  done
  [ -n "$missing" ] || return 0
  say "installing" $missing
  install_now $missing || { refresh_lists && install_now $missing; } || for name in $missing; do
    say "could not install $name:$(cost_of "$name")"
  done
}
