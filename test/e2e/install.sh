#!/usr/bin/env bash
# Makes .venv with the Python tools the e2e and moto tests and the template linter need, at the versions and hashes of
# requirements.txt. Needs python3 (3.11 or newer) with venv. Does nothing when the .venv is already that of requirements.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

requirements=test/e2e/requirements.txt
installed=.venv/requirements.installed.txt

if cmp -s "$requirements" "$installed" && .venv/bin/python -c 'import ministack, moto, cfnlint' 2>/dev/null; then
  exit 0
fi

fail() {
  echo "test/e2e/install.sh: $1" >&2
  exit 1
}

command -v python3 >/dev/null || fail 'python3 is missing: install Python 3.11 or newer (Debian: apt-get install python3 python3-venv).'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "Python 3.11 or newer is needed, and python3 is $(python3 -V 2>&1)."
python3 -c 'import ensurepip, venv' 2>/dev/null ||
  fail 'python3 has no venv module: install it (Debian: apt-get install python3-venv).'

echo 'Installing the emulators and cfn-lint into .venv (half a minute, once) ...' >&2
rm -rf .venv
python3 -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r "$requirements"
cp "$requirements" "$installed"
