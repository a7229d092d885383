"""The command as a whole: how it fails, what it loads, and that all of it is documented."""

from __future__ import annotations

import argparse
import re
import runpy
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from clikit import Caller

from engine import UpscoreError
from upscore import cli
from upscore.cli import STOPPED, Parser, build_parser
from upscore.commands import judge as judging
from upscore.commands.console import DONE, MISUSED, PARTLY
from vision.errors import WeightsError

REFERENCE = Path(__file__).parents[2] / "docs" / "commands.md"
PACKAGE = REFERENCE.parents[1] / "pyproject.toml"
SCRIPT = Path(sys.executable).with_name("upscore")


def commands() -> dict[str, Parser]:
    (action,) = (action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(action.choices)


def options(parser: Parser) -> set[str]:
    """The options of a command, and of the commands within it."""
    own = {text for action in parser._actions for text in action.option_strings} - {"-h", "--help"}
    within = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return own.union(*(options(inner) for action in within for inner in action.choices.values()))


def sections() -> dict[str, str]:
    """The reference's section of each command."""
    parts = re.split(r"^## `upscore (\w+)`.*$", REFERENCE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_has_its_section_and_no_other_has() -> None:
    assert list(sections()) == list(commands())


@pytest.mark.parametrize("name", commands())
def test_every_option_is_documented_and_no_other_is(name: str) -> None:
    parser, text = commands()[name], sections()[name]
    named = " ".join(re.findall(r"^\| (`--.*?) \|", text, flags=re.MULTILINE))
    assert set(re.findall(r"`(--[a-z-]+)", named)) == options(parser)
    usage = re.search(rf"^upscore {name}.*$", text, flags=re.MULTILINE)
    assert usage
    for action in parser._actions:
        if not action.option_strings:
            assert str(action.metavar) in usage[0]


@pytest.mark.parametrize("name", commands())
def test_every_command_explains_itself(upscore: Caller, name: str) -> None:
    upscore(name, "--help")
    assert upscore.status == 0
    assert upscore.out.startswith(f"usage: upscore {name}")
    assert all(action.help for action in commands()[name]._actions)


@pytest.mark.skipif(not SCRIPT.is_file(), reason="upscore is not installed beside this Python")
def test_the_version_is_that_of_the_package(upscore: Caller) -> None:
    told = re.search(r'^version = "(.+)"$', PACKAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert told
    upscore("--version")
    assert (upscore.status, upscore.out, upscore.err) == (DONE, f"upscore {told[1]}\n", "")
    assert upscore("-V").out == f"upscore {told[1]}\n"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("solv",), "invalid choice: 'solv' (did you mean solve?)"),
        (("calibrate", "tile"), "invalid choice: 'tile' (did you mean tiles?)"),
        (("solve", "p.json", "--rak", "A"), "unrecognized arguments: --rak A (did you mean --rack?)"),
        (("zzz",), "invalid choice: 'zzz'."),
    ],
)
def test_what_may_have_been_meant_is_named(upscore: Caller, call: tuple[str, ...], told: str) -> None:
    upscore(*call)
    upscore.expect_refusal(told)


def test_a_version_that_is_not_installed_is_not_named(upscore: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    upscore("--version")
    assert (upscore.status, upscore.out) == (DONE, "upscore, run from its folder, not installed\n")


@pytest.mark.parametrize("words", [(), ("fly",), ("judge", "quiet", "--fast"), ("calibrate",), ("judge\n", "x")])
def test_words_that_are_off(upscore: Caller, words: tuple[str, ...]) -> None:
    upscore(*words)
    upscore.expect_refusal("upscore", "--help")


def raising(error: BaseException) -> object:
    def fail(_: argparse.Namespace) -> int:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (UpscoreError("This is off: do that."), "upscore: This is off: do that."),
        (WeightsError("The weights are missing: install Upscore again."), "The weights are missing"),
        (OSError(28, "No space left on device", "/tmp/x"), "/tmp/x: No space left on device"),
        (MemoryError(), "MemoryError"),
        (ValueError("two\nlines \x1b[2J"), "something went wrong (ValueError: two)"),
    ],
)
def test_no_failure_shows_a_traceback(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    monkeypatch.setattr(judging, "judge", raising(error))
    monkeypatch.setattr(cli, "_drop_output", lambda: None)
    upscore("judge", "quiet")
    upscore.expect_refusal(told)


def test_a_traceback_for_those_who_want_one(upscore: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judge", raising(ValueError("why")))
    monkeypatch.setenv("UPSCORE_DEBUG", "1")
    with pytest.raises(ValueError, match="why"):
        upscore("judge", "quiet")


@pytest.mark.parametrize("words", [("-ness",), ("quiet", "-ness", "--json"), ("-hood",)])
def test_a_word_that_begins_with_a_hyphen_is_asked_about_behind_two(upscore: Caller, words: tuple[str, ...]) -> None:
    upscore("judge", *words)
    upscore.expect_refusal("write 'upscore judge -- -")
    upscore("judge", "--json", "--", *(word for word in words if word != "--json"))
    assert upscore.status == 1
    assert upscore.lines()[0][-1]["reason"].startswith("it cannot stand alone")


def test_how_commands_end_is_documented() -> None:
    told = re.findall(r"^\| (\d+) \|", REFERENCE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert list(map(int, told)) == [DONE, PARTLY, MISUSED, STOPPED]


def test_stopped_from_the_keyboard(upscore: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "judge", raising(KeyboardInterrupt()))
    upscore("judge", "quiet")
    assert (upscore.status, upscore.out, upscore.err) == (130, "", "Stopped.\n")


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("libGL.so.1: cannot open shared object file", "install libgl1 and libglib2.0-0"),
        ("DLL load failed while importing cv2", "install the newest Microsoft Visual C++ Redistributable"),
        ("No module named 'cv2'", "install upscore again"),
    ],
)
def test_a_library_that_is_missing(upscore: Caller, monkeypatch: pytest.MonkeyPatch, missing: str, told: str) -> None:
    def fail(_: str) -> object:
        raise ImportError(missing)

    monkeypatch.setattr(cli, "import_module", fail)
    upscore("read", "a.jpg")
    upscore.expect_refusal(missing, told)


def run(*command: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)  # type: ignore[call-overload, no-any-return]


def test_the_referee_needs_no_eyes() -> None:
    """`judge` works, at once, where OpenCV's system libraries are missing."""
    code = (
        "import sys; from upscore.cli import main; status = main(['judge', 'quiet']);"
        "print(sorted({'cv2', 'flask', 'numpy', 'onnxruntime'} & set(sys.modules)), status)"
    )
    assert run(sys.executable, "-c", code).stdout.splitlines()[-1] == "[] 0"


@pytest.mark.parametrize(
    ("code", "not_needed"),
    [
        ("from upscore.cli import build_parser; build_parser().format_help()", "cv2 flask numpy"),
        ("import upscore.commands.serve", "cryptography onnxruntime vision.pipeline vision.video.tracker"),
    ],
)
def test_what_help_and_the_pages_start_do_not_wait_for(code: str, not_needed: str) -> None:
    told = run(sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)").stdout.split()
    assert "upscore.commands" in told
    assert set(not_needed.split()) & set(told) == set()


@pytest.mark.skipif(not SCRIPT.is_file(), reason="upscore is not installed beside this Python")
def test_the_installed_command_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "no.mp4").write_text("hello")
    done = run(str(SCRIPT), "replay", "no.mp4", "--edition", "8x8", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("upscore: no.mp4 is not a video")


@pytest.mark.slow
@pytest.mark.skipif(not SCRIPT.is_file(), reason="upscore is not installed beside this Python")
@pytest.mark.parametrize("words", [("--camera", "no camera"), ("--data", "/dev/null/games")], ids=" ".join)
def test_what_the_page_cannot_be_served_with(tmp_path: Path, words: tuple[str, str]) -> None:
    done = run(str(SCRIPT), "serve", "--port", "0", "--data", str(tmp_path), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert words[1] in done.stderr


@pytest.mark.skipif(not SCRIPT.is_file(), reason="upscore is not installed beside this Python")
@pytest.mark.parametrize(("sink", "status"), [("| head -c 1", 0), ("> /dev/full", 2)])
def test_a_reader_who_has_had_enough_and_a_full_disk(sink: str, status: int) -> None:
    words = " ".join(["leap"] * 3000)
    done = run("bash", "-c", f"'{SCRIPT}' judge {words} {sink}; exit ${{PIPESTATUS[0]}}")
    assert done.returncode == status
    assert done.stderr.count("\n") == (1 if status else 0), done.stderr


def test_an_old_python_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
    monkeypatch.setattr(sys, "version", "3.9.18 (main)")
    with pytest.raises(SystemExit, match=r"Upscore needs Python 3\.10 or newer\. This is Python 3\.9\.18\."):
        runpy.run_module("upscore.__main__")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("upscore so", ["solve"]),
        ("upscore re", ["read", "replay", "review", "restore"]),
        ("upscore solve game.txt --s", ["--squares", "--seconds"]),
        ("upscore solve ", []),  # a file, which the shell completes
        ("upscore calibrate ta", ["target"]),
        ("upscore calibrate tiles --st", ["--stack"]),
        ("upscore nothing --x", []),
        ("upscore --", ["--help", "--version"]),
        ("upscore service install --por", ["--port"]),
        ("upscore service status --", ["--help"]),
    ],
)
def test_the_shell_completes_commands_and_options(
    upscore: Caller, monkeypatch: pytest.MonkeyPatch, line: str, names: list[str]
) -> None:
    monkeypatch.setenv("COMP_LINE", line)
    assert upscore("--complete", "upscore", "", "").out.split() == names
    assert upscore.status == DONE
