#!/usr/bin/env bash
# Usage: scripts/kube-apiserver.sh [CACHE_DIR]
# For the long tests of the Kubernetes store.
# Builds kube-apiserver 1.20.2 from Debian 12's source package and unpacks etcd 3.4 next to it.
# Everything is written under CACHE_DIR; nothing is installed and no service is started, so root is not needed.
# The last line of output is the path of the kube-apiserver binary. A second run finds it and does nothing.
set -euo pipefail

version=1.20.2
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/hustings/kube-apiserver}

note() { printf 'kube-apiserver.sh: %4d s  %s\n' "$SECONDS" "$*" >&2; }
fail() { printf 'kube-apiserver.sh: %s\n' "$*" >&2; exit 1; }

# Runs a command with its output in the log; shows the end of the log if it fails.
logged() {
  local what=$1
  shift
  "$@" >>"$log" 2>&1 || { tail -n 15 "$log" >&2; fail "$what failed; the full log is $log"; }
}

[ $# -le 1 ] || fail "expected at most one argument, the cache directory"
mkdir -p "$cache/bin" 2>/dev/null || fail "cannot write to $cache; pass a directory you can write to"
cache=$(cd "$cache" && pwd -P)
server=$cache/bin/kube-apiserver
work=$cache/build-kube-apiserver
log=$work/log

exec 9>"$cache/lock"
flock -n 9 || { note "another build is running in $cache; waiting for it"; flock 9; }

is_built() { [ -x "$cache/bin/etcd" ] && [ "$("$server" --version 2>/dev/null)" = "Kubernetes v$version" ]; }
if is_built; then
  printf '%s\n' "$server"
  exit 0
fi

codename=$(. /etc/os-release 2>/dev/null && printf '%s' "${VERSION_CODENAME:-unknown}") || codename=unknown
[ "$codename" = bookworm ] || fail "Debian 12 (bookworm) is required, this is $codename"
free_kb=$(df -Pk "$cache" | awk 'NR == 2 {print $4}')
[ "$free_kb" -ge 3000000 ] || fail "3 GB of free disk space is required in $cache, $((free_kb / 1000)) MB is left"
mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/apt/sources.list.d" "$work/packages"
: >"$log"

# A private copy of the machine's package sources, with source packages enabled. The machine's own lists stay as they are.
list='' parts=''
eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
rm -f "$work"/apt/sources.list.d/*
for file in "$list" "$parts"/*.list "$parts"/*.sources; do
  [ -f "$file" ] || continue
  case $file in
    *.sources) sed -E 's/^Types:.*/Types: deb deb-src/' "$file" ;;
    *) sed -nE 's/^deb(-src)?[[:space:]]+(.*)/deb \2\ndeb-src \2/p' "$file" | sort -u ;;
  esac >"$work/apt/sources.list.d/${file##*/}"
done
private_apt() {
  apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/apt/sources.list.d" \
    -o Dir::State::lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}
note "updating private package lists"
logged "apt-get update" private_apt update
cd "$work/packages"
note "downloading the kubernetes source, golang-1.19 and etcd (125 MB)"
logged "apt-get source kubernetes" private_apt source --download-only kubernetes
logged "apt-get download" private_apt download golang-1.19-go golang-1.19-src golang-github-modern-go-reflect2-dev etcd-server

source_archive=$(echo kubernetes_*"really$version".orig.tar.gz)
[ -f "$source_archive" ] || fail "kubernetes $version is required, apt has $(echo kubernetes_*.dsc)"

note "unpacking"
rm -rf "$work/debs" "$work/gopath"
for package in *.deb; do
  logged "dpkg -x $package" dpkg -x "$package" "$work/debs"
done
# Debian's patches change kubectl only, so the original archive is enough.
source=$work/gopath/src/k8s.io/kubernetes
mkdir -p "$source"
logged "unpacking $source_archive" tar -xzf "$source_archive" --strip-components=1 --no-same-owner -C "$source"

# The vendored reflect2 1.0.1 does not work with Go 1.18 and later: every JSON write panics. Debian packages reflect2 1.0.2.
rm -r "$source/vendor/github.com/modern-go/reflect2"
cp -r "$work/debs/usr/share/gocode/src/github.com/modern-go/reflect2" "$source/vendor/github.com/modern-go/"

export GOROOT=$work/debs/usr/lib/go-1.19 GOPATH=$work/gopath GOCACHE=$work/gocache
export GO111MODULE=off GOPROXY=off GOFLAGS='' GOENV=off CGO_ENABLED=0
export PATH=$GOROOT/bin:$PATH
cd "$source"

note "building openapi-gen"
logged "building openapi-gen" nice -n 10 go build -o "$work/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen

# The source package lacks pkg/generated/openapi/zz_generated.openapi.go. Its inputs are the packages tagged openapi-gen;
# staging packages are named by their path under vendor. The list of known API rule violations confirms the set.
note "generating the OpenAPI definitions"
tag='^// *\+k8s:openapi-gen='
inputs=$({
  grep -rlE --include='*.go' "$tag" cmd pkg plugin
  cd staging/src && grep -rlE --include='*.go' "$tag" k8s.io | sed 's|^|vendor/|'
} | grep -vE '^vendor/k8s.io/(code-generator|sample-apiserver)/' | sed 's|/[^/]*$||' | LC_ALL=C sort -u |
  sed 's|^|k8s.io/kubernetes/|' | paste -sd,)
logged "openapi-gen" nice -n 10 "$work/openapi-gen" --logtostderr -i "$inputs" -p k8s.io/kubernetes/pkg/generated/openapi \
  -O zz_generated.openapi -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$work/violations"
logged "the check of the API rule violations" diff "$work/violations" api/api-rules/violation_exceptions.list

note "building kube-apiserver (3 to 6 minutes on 2 cores)"
flags="-s -w"
for package in component-base/version client-go/pkg/version; do
  for setting in gitVersion=v$version gitMajor=1 gitMinor=20; do
    flags+=" -X k8s.io/kubernetes/vendor/k8s.io/$package.$setting"
  done
done
logged "building kube-apiserver" nice -n 10 go build -ldflags "$flags" -o "$work/kube-apiserver" ./cmd/kube-apiserver

mv "$work/debs/usr/bin/etcd" "$cache/bin/etcd"
mv "$work/kube-apiserver" "$server"
is_built || fail "$server does not report version $version; delete it and run this again"
chmod -R u+w "$work"
rm -rf "$work"
note "done"
printf '%s\n' "$server"
