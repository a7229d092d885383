# Sourced by ./run, ./test and Start Upscore.command: makes .venv beside them and installs what Upscore needs, saying what it does.
# Needs bash and, the first time, the network; what cannot be installed is named, with what that costs.

ready=.venv/ready
# system packages that an earlier start tried in vain: it said so, and this one need not wait for them again
tried=" $(cat .venv/tried 2>/dev/null || true) "
apt_updated=
asking=
[ -t 0 ] && [ -t 2 ] && asking=1

say() { printf '%s\n' "$*" >&2; }

give_up() {
    say "$*"
    exit 2
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null 2>&1; then
        return 1
    elif [ "$asking" ]; then
        sudo "$@" # may ask for the password, on the terminal
    else
        sudo -n "$@"
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 -o Acquire::http::Timeout=20 \
        "$@" >/dev/null 2>&1 </dev/null
}

# install_packages PACKAGE...: by the system's package manager; fails quietly where there is none
install_packages() {
    command -v apt-get >/dev/null 2>&1 || return 1
    say "Installing system packages: $*"
    if [ -z "$apt_updated" ]; then
        apt update || true
        apt_updated=1
    fi
    apt install -y --no-install-recommends "$@"
}

have() {
    for program in "$@"; do
        command -v "$program" >/dev/null 2>&1 || return 1
    done
}

# need "PROGRAM..." "PACKAGE..." COST: programs that are good to have, and what it costs to be without
need() {
    # shellcheck disable=SC2086 # lists of words
    have $1 && return 0
    # shellcheck disable=SC2086
    if [ "${tried#* $2 }" = "$tried" ]; then
        install_packages $2 && have $1 && return 0
        tried="$tried$2 "
        [ ! -d .venv ] || printf '%s' "$tried" >.venv/tried
    fi
    say "Note: not installed: $2. $3"
}

find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
        # Apple's own is too old, and asks for its developer tools to be installed
        [ "$(uname)$(command -v "$candidate")" = Darwin/usr/bin/python3 ] && continue
        if have "$candidate" &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            printf '%s' "$candidate"
            return 0
        fi
    done
    return 1
}

python_source() {
    [ "$(uname)" = Darwin ] && printf 'get it at python.org/downloads, and start again' && return
    printf 'install the package python3'
}

# make_venv: an empty .venv with pip, unless a whole one is there
make_venv() {
    [ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1 && [ "$old_place" = "$PWD" ] && return 0
    python=$(find_python) || {
        install_packages python3 python3-venv || true
        python=$(find_python) || give_up "Upscore needs Python 3.10 or newer: $(python_source)."
    }
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        install_packages "$python-venv" || true
        "$python" -c 'import ensurepip, venv' 2>/dev/null ||
            give_up "Python's venv module is missing: install the package $python-venv."
    fi
    say "Making the Python environment .venv (the first time takes a minute or two)"
    "$python" -m venv --clear .venv ||
        give_up "The Python environment could not be made: see above, and start again."
}

pip() { .venv/bin/python -m pip --quiet --disable-pip-version-check "$@"; }

# need_opencv: OpenCV wants two system libraries, of which bare systems have none
need_opencv() {
    .venv/bin/python -c 'import cv2' 2>/dev/null && return 0
    install_packages libgl1 libglib2.0-0 || true
    .venv/bin/python -c 'import cv2' 2>/dev/null && return 0
    say "OpenCV's system libraries libgl1 and libglib2.0-0 cannot be installed: opencv-python-headless does without."
    pip uninstall --yes opencv-python || true
    pip install --force-reinstall --no-deps "opencv-python-headless>=4.10,<5" &&
        .venv/bin/python -c 'import cv2' 2>/dev/null ||
        give_up "OpenCV does not load: install libgl1 and libglib2.0-0, and start again."
}

# has_upscore: whether .venv has a Python that finds Upscore; after an upgrade of the system's it is another, with none
has_upscore() {
    .venv/bin/python -I -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("upscore") is None)' 2>/dev/null
}

# make_environment run|dev: .venv with Upscore and what it needs, with the tools for tests too where it is for dev;
# does nothing when all of it is there
make_environment() {
    old_place= old_sum= old_kind=
    { read -r old_place && read -r old_sum && read -r old_kind; } 2>/dev/null <"$ready" || true
    sum=$(cksum <pyproject.toml)
    if [ -x .venv/bin/upscore ] && [ "$old_place" = "$PWD" ] && [ "$old_sum" = "$sum" ] &&
        { [ "$old_kind" = "$1" ] || [ "$old_kind" = dev ]; } && has_upscore; then
        return 0
    fi
    make_venv
    rm -f "$ready"
    kind=$1
    [ "$old_kind" = dev ] && kind=dev
    say "Installing Python packages"
    extras=
    [ "$kind" = dev ] && extras='[dev]'
    # what is never imported needn't be compiled: 33 MB, and a third of the time
    pip install --no-compile --editable ".$extras" ||
        give_up "The Python packages could not be installed: see above, check the network, and start again."
    need_opencv
    printf '%s' "$tried" >.venv/tried
    printf '%s\n' "$PWD" "$sum" "$kind" >"$ready"
}
