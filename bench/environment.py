"""The virtual environment of the peers: build/venv-peers."""

from __future__ import annotations

from pathlib import Path

import corpus  # noqa: F401  # finds eval/
from virtual_environment import VirtualEnvironment

ROOT = Path(__file__).resolve().parent.parent
PEERS = VirtualEnvironment(
    ROOT / "build" / "venv-peers", Path(__file__).resolve().parent / "peers" / "requirements.txt"
)
PYTHON = PEERS.python
ensure = PEERS.ensure
