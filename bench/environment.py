"""The virtual environment of the peers: build/venv-peers, made on first use, pip by package
name."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "build" / "venv-peers"
PYTHON = VENV / "bin" / "python"
REQUIREMENTS = Path(__file__).resolve().parent / "peers" / "requirements.txt"


def ensure(*packages: str) -> dict[str, str]:
    """Makes the environment and installs what is missing of these packages, or of all. Returns
    package → "name==version" as pinned, for what is installed; a package that pip cannot install is
    left out and named on stderr."""
    if not PYTHON.exists():
        print(f"making {VENV}", file=sys.stderr, flush=True)
        venv.create(VENV, with_pip=True)
    installed: dict[str, str] = {}
    for requirement in _requirements():
        if packages and _name(requirement) not in packages:
            continue
        if _present(requirement) or _install(requirement):
            installed[_name(requirement)] = requirement
        else:
            print(f"not installed: {requirement}", file=sys.stderr, flush=True)
    return installed


def _requirements() -> list[str]:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _name(requirement: str) -> str:
    return requirement.split("==")[0].lower()


def _present(requirement: str) -> bool:
    name, version = requirement.split("==")
    code = f"import importlib.metadata as m, sys; sys.exit(m.version({name!r}) != {version!r})"
    return subprocess.run([PYTHON, "-c", code], capture_output=True, check=False).returncode == 0


def _install(requirement: str) -> bool:
    print(f"installing {requirement}", file=sys.stderr, flush=True)
    command = [PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", requirement]
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0
