#!/usr/bin/env bash
# Installs Debian's Chromium where it is missing. Needs root and apt-get for that, and says so.
set -euo pipefail
readonly chromium=/usr/bin/chromium

if [[ -x $chromium ]]; then exit 0; fi
if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "test:browser needs $chromium: install Debian's package chromium, or run this once as root where apt-get is" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
[[ -x $chromium ]] || { echo "test:browser: the package chromium brought no $chromium" >&2; exit 1; }
