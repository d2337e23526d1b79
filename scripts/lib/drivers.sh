# A second Mesa and a newer validation layer in private folders under .deps. Sourced by scripts/test.
#
# GPU tests run on a driver with mesh shaders (Mesa 25, Debian 13) and one without (Mesa 22.3, Debian 12), and under a layer
# that sees hazards of dynamic-rendering attachments (1.4, Debian 13; 1.3.239 does not). One machine has one of each; the
# others come as packages of the other Debian, unpacked and never installed, from the mirror and keyring this machine uses.

mirror_line() { # prints "URI" of this machine's Debian mirror
  apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -F '|' '$1 == "Debian" && $2 == "Debian" { print $3; exit }'
}

# Unpacks packages of a Debian release with all they depend on, down to libc: nothing of it mixes with the system's own files.
unpack_release() { # RELEASE FOLDER PACKAGE...
  local release=$1 folder=$2 uri work log=$deps/log/drivers.log
  shift 2
  local stamp="$release $* 1"
  [ -e "$folder/.stamp" ] && [ "$(cat "$folder/.stamp")" = "$stamp" ] && return
  command -v apt-get >/dev/null || return
  uri=$(mirror_line)
  if [ -z "$uri" ]; then
    return 1
  fi
  say "fetching from Debian $release into ${folder#"$root"/}: $*"
  work=$(mktemp -d)
  mkdir -p "$work"/{lists,cache/archives}/partial
  : >"$work/status"
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
    "$uri" "$release" >"$work/release.sources"
  local apart=(-q -y -o "Dir::State::lists=$work/lists" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache"
    -o "Dir::Etc::sourcelist=$work/release.sources" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null
    -o Dir::Etc::preferencesparts=/dev/null -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=1)
  rm -rf "$folder" && mkdir -p "$folder"
  if quietly "$log" apt-get "${apart[@]}" update &&
    quietly "$log" apt-get "${apart[@]}" --download-only --no-install-recommends install "$@" &&
    for archive in "$work"/cache/archives/*.deb; do dpkg-deb -x "$archive" "$folder" || break; done; then
    printf '%s\n' "$stamp" >"$folder/.stamp"
  fi
  rm -rf "$work"
  [ -e "$folder/.stamp" ]
}

# A driver manifest that names the library in the private folder.
private_manifest() { # FOLDER [NAME: lvp, the software driver; radeon]
  local folder name=${2:-lvp}
  folder=$(sed 's/[\\&#]/\\&/g' <<<"$1") # what sed would read as its own
  sed -E "s#(\"library_path\"[^\"]*)\"[^\"]*/?(lib[^\"/]*)\"#\1\"$folder/usr/lib/$triple/\2\"#" \
    "$1"/usr/share/vulkan/icd.d/"$name"_icd*.json >"$1/$name.json.$$"
  mv "$1/$name.json.$$" "$1/$name.json" # whole at any moment: another run may read it
  echo "$1/$name.json"
}

version_of() { dpkg-query -W -f='${Version}' "$1" 2>/dev/null | sed 's/^.*://'; }
at_least() { [ "$(printf '%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; } # VERSION LEAST

# Sets, for scripts/test: old_driver and new_driver (manifests, empty where not to be had), library_path, loader
# (the dynamic loader to start tests with; empty: the system's), layer_path (of the newer layer) and default_driver (of a default
# run: the newest Mesa; empty where a GPU has its own).
find_drivers() {
  local system mesa layer other
  triple=$(uname -m)-linux-gnu
  old_driver='' new_driver='' library_path='' loader='' layer_path=''
  system=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json 2>/dev/null | head -n 1)
  mesa=$(version_of mesa-vulkan-drivers)
  layer=$(version_of vulkan-validationlayers)
  if at_least "$mesa" 24; then new_driver=$system; else old_driver=$system; fi

  if [ -z "$new_driver" ] || ! at_least "$layer" 1.4.300; then
    other=$deps/debian13
    if unpack_release trixie "$other" libvulkan1 mesa-vulkan-drivers vulkan-validationlayers \
      libxcursor1 libxi6 libxkbcommon-x11-0 libwayland-client0; then
      loader=$(compgen -G "$other/usr/lib*/ld-linux-*.so.*" | head -n 1)
      library_path=$other/usr/lib/$triple:/usr/lib/$triple
      layer_path=$other/usr/share/vulkan/explicit_layer.d
      [ -n "$new_driver" ] || new_driver=$(private_manifest "$other")
    else
      say "no packages of Debian 13 here: the GPU tests run on this system's driver and validation layer only"
    fi
  fi
  if [ -z "$old_driver" ]; then
    other=$deps/debian12
    if unpack_release bookworm "$other" mesa-vulkan-drivers; then
      old_driver=$(private_manifest "$other")
      # Its LLVM lies in its own folder; libc and all else that is newer in the system comes first.
      [ -n "$loader" ] || loader=$(compgen -G "/lib*/ld-linux-*.so.*" | head -n 1)
      library_path=${library_path:-/usr/lib/$triple}:$other/usr/lib/$triple
    else
      say "no packages of Debian 12 here: nothing is tested on a driver without mesh shaders"
    fi
  fi
  default_driver=${new_driver:-$old_driver}
  if [ -e /dev/nvidiactl ] || compgen -G '/dev/dri/renderD*' >/dev/null; then default_driver=''; fi
}

# Sets radv_driver, the manifest of Mesa's driver for AMD, empty where it is not to be had: it compiles shaders for AMD's GPUs without one.
# To be called after find_drivers: the private Mesa runs with its loader and library_path.
find_radv() {
  radv_driver=''
  if [ -e "$deps/debian13/usr/lib/$triple/libvulkan_radeon.so" ]; then
    radv_driver=$(private_manifest "$deps/debian13" radeon)
  elif at_least "$(version_of mesa-vulkan-drivers)" 24 && has_driver radeon; then
    radv_driver=$(ls /usr/share/vulkan/icd.d/radeon_icd*.json | head -n 1)
  fi
}
