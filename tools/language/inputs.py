"""Files of the packages that language data is made of, each pinned by its SHA-256, and the tables
that are made of them."""

import bz2
import hashlib
import importlib.util
import os
import subprocess
import tempfile


class InputError(Exception):
    """An input that is missing or of another version."""


def read_pinned(path, sha256):
    """The bytes of a file, when they are those that the tables were made and tested with."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; ./zw setup installs it") from error
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise InputError(f"{path} is of another version: its SHA-256 is {found}, not {sha256}")
    return content


def read_text(path, sha256):
    return read_pinned(path, sha256).decode("utf-8")


def read_bz2(path, sha256):
    return bz2.decompress(read_pinned(path, sha256)).decode("utf-8")


def read_opencc(name, sha256):
    """The rows (key, [values]) of a dictionary of Debian's libopencc-data, dumped as text."""
    path = f"/usr/share/opencc/{name}.ocd2"
    read_pinned(path, sha256)
    with tempfile.TemporaryDirectory() as folder:
        dumped = os.path.join(folder, "dumped.txt")
        try:
            subprocess.run(["opencc_dict", "-i", path, "-o", dumped, "-f", "ocd2", "-t", "text"],
                           check=True, stdout=subprocess.DEVNULL)
        except OSError as error:
            raise InputError(
                f"cannot run opencc_dict: {error.strerror}; ./zw setup installs opencc") from error
        with open(dumped, encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
    return sorted((key, values.split(" ")) for key, values in rows)


def wheel_file(module, name):
    """Where a file of an installed wheel is."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise InputError(f"the package {module} is not installed; ./zw setup installs it")
    return os.path.join(os.path.dirname(spec.origin), name)


def write_table(folder, name, rows):
    """Writes NAME.tsv: a row a line, fields separated by tabs."""
    with open(os.path.join(folder, f"{name}.tsv"), "w", encoding="utf-8", newline="\n") as table:
        for row in rows:
            fields = [str(field) for field in row]
            for field in fields:
                if "\t" in field or "\n" in field:
                    raise InputError(f"a field of {name} has a tab or a line end: {field!r}")
            table.write("\t".join(fields) + "\n")
