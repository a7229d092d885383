# Sourced by ./run and ./test: makes .venv beside them and installs what Upscore needs, saying what it does.
# Asks for nothing; what cannot be installed is named, with what that costs.

say() { printf '%s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1; then sudo -n "$@"
    else return 1
    fi
}

apt_updated=
# install_packages PACKAGE...: by the system's package manager; fails quietly where there is none
install_packages() {
    command -v apt-get >/dev/null 2>&1 || return 1
    if [ -z "$apt_updated" ]; then
        as_root apt-get update -qq >/dev/null 2>&1 || true
        apt_updated=1
    fi
    say "Installing system packages: $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

# need COMMAND PACKAGE COST: a program that is good to have
need() {
    command -v "$1" >/dev/null 2>&1 && return 0
    install_packages "$2" && return 0
    say "Note: $2 could not be installed: $3"
}

find_python() {
    for candidate in python3 python3.13 python3.12 python3.11 python3.10; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            printf '%s' "$candidate"
            return 0
        fi
    done
    return 1
}

# make_environment EXTRAS: .venv with Upscore and what it needs; does nothing when it is already up to date
make_environment() {
    wanted="$(cksum pyproject.toml | cut -d' ' -f1) $1"
    if [ -x .venv/bin/upscore ] && [ "$(cat .venv/ready 2>/dev/null)" = "$wanted" ]; then
        return 0
    fi
    python=$(find_python) || {
        install_packages python3 python3-venv || true
        python=$(find_python) || { say "Upscore needs Python 3.10 or newer: install the package python3."; exit 2; }
    }
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv ||
        { say "Python's venv module is missing: install the package python3-venv."; exit 2; }
    say "Making the Python environment .venv (the first time takes a minute or two)"
    [ -x .venv/bin/python ] || "$python" -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[$1]" ||
        { say "The Python packages could not be installed: check the network and start again."; exit 2; }
    if ! .venv/bin/python -c 'import cv2' 2>/dev/null; then
        install_packages libgl1 libglib2.0-0 || true
    fi
    if ! .venv/bin/python -c 'import cv2' 2>/dev/null; then
        say "OpenCV cannot load its system libraries (libgl1, libglib2.0-0); using opencv-python-headless instead."
        .venv/bin/python -m pip uninstall --quiet --yes opencv-python
        .venv/bin/python -m pip install --quiet --disable-pip-version-check "opencv-python-headless>=4.10,<5" ||
            { say "opencv-python-headless could not be installed: install libgl1 and libglib2.0-0 and start again."; exit 2; }
    fi
    printf '%s' "$wanted" > .venv/ready
}
