#!/usr/bin/env bash
# Asks the package index for a wheel of every dependency, for each system and Python: nobody should need a compiler.
# Nothing is installed. A system is given by the oldest version of it that has wheels of them all.
set -uo pipefail
cd "$(dirname "$0")/.."
python=.venv/bin/python
missing=0
for version in 3.10 3.11 3.12 3.13; do
    needed=$("$python" -c 'import importlib.metadata as m, sys
from packaging.requirements import Requirement
for each in map(Requirement, m.requires("upscore")):
    if each.marker is None or each.marker.evaluate({"python_version": sys.argv[1], "extra": ""}):
        print(f"{each.name}{each.specifier}")' "$version")
    for system in windows:win_amd64 mac-intel:macosx_14_0_x86_64 mac-apple:macosx_14_0_arm64 \
        linux-arm:manylinux_2_28_aarch64,manylinux_2_27_aarch64,manylinux_2_17_aarch64,manylinux2014_aarch64; do
        platforms=$(printf ' --platform %s' $(printf '%s' "${system#*:}" | tr , ' '))
        # shellcheck disable=SC2086 # lists of words
        if why=$("$python" -m pip install --dry-run --quiet --ignore-installed --target .venv/none --only-binary=:all: \
            --python-version "$version" $platforms $needed 2>&1); then
            echo "$version ${system%%:*}: a wheel of each"
        else
            echo "$version ${system%%:*}: $(printf '%s' "$why" | grep -m 1 'ERROR')"
            missing=1
        fi
    done
done
exit "$missing"
