"""Virtual environments of Python below build/, made on first use, with packages that are pinned."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

NEWEST, OLDEST = 14, 12  # minor versions that are looked for before this program's own Python


@dataclass(frozen=True)
class VirtualEnvironment:
    """A folder, a file with a line "name==version" for each package, and whether the newest Python
    is wanted instead of the one that runs this program."""

    folder: Path
    requirements: Path
    newest_python: bool = False

    @property
    def python(self) -> Path:
        """The program that has the packages."""
        return self.folder / "bin" / "python"

    def ensure(self, *packages: str) -> dict[str, str]:
        """Makes the environment and installs what is missing of these packages, or of all. Returns
        package → "name==version" as pinned, for what is installed; a package that pip cannot
        install is left out and named on stderr."""
        if not self.python.exists():
            print(f"making {self.folder}", file=sys.stderr, flush=True)
            maker = _newest_python() if self.newest_python else sys.executable
            subprocess.run([maker, "-m", "venv", str(self.folder)], check=True)
        installed: dict[str, str] = {}
        for requirement in self._requirements():
            if packages and _name(requirement) not in packages:
                continue
            if self._present(requirement) or self._install(requirement):
                installed[_name(requirement)] = requirement
            else:
                print(f"not installed: {requirement}", file=sys.stderr, flush=True)
        return installed

    def _requirements(self) -> list[str]:
        lines = self.requirements.read_text(encoding="utf-8").splitlines()
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")]

    def _present(self, requirement: str) -> bool:
        name, version = requirement.split("==")
        code = f"import importlib.metadata as m, sys; sys.exit(m.version({name!r}) != {version!r})"
        command = [self.python, "-c", code]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def _install(self, requirement: str) -> bool:
        print(f"installing {requirement}", file=sys.stderr, flush=True)
        command = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = subprocess.run([*command, requirement], stdout=sys.stderr, check=False)
        return done.returncode == 0


def _name(requirement: str) -> str:
    return requirement.split("==")[0].lower()


def _newest_python() -> str:
    """Returns the newest Python that starts."""
    for minor in range(NEWEST, OLDEST - 1, -1):
        python = shutil.which(f"python3.{minor}")
        if python and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    return sys.executable
