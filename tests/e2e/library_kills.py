#!/usr/bin/env python3
"""A library whose programs are killed at any time while they add, remove, purge and compact: what
was acknowledged is there, what was under way is there whole or not at all, each document is found
by its text and by a part of it, and fsck has nothing to say. Ten kills; with ZW_LONG=1 200, and
then the memory of a program that adds and of one that checks, which must not grow. ZW_KILLS=N: so
many kills; ZW_SEED, ZW_SECONDS: another sequence, and how long memory is looked at."""

import json
import os
import random
import subprocess
import sys
import threading
import time

ZHIWEN = os.environ["ZHIWEN"]
IS_LONG = bool(os.environ.get("ZW_LONG"))
KILLS = int(os.environ.get("ZW_KILLS", 200 if IS_LONG else 10))
SECONDS = float(os.environ.get("ZW_SECONDS", 60))
HAN = [chr(c) for c in range(0x4E00, 0x9000)]
NAMES = 1500


def run(*arguments, status=0):
    """Runs the program and returns what it printed."""
    done = subprocess.run([ZHIWEN, *arguments], capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"failed: {' '.join(arguments)} ended with {done.returncode}, not {status}: "
                 f"{done.stdout[-500:]} {done.stderr[-1000:]}")
    return done.stdout


def wait_or_kill(program, seconds):
    """Returns the status of a program, -9 when it did not end by itself."""
    try:
        return program.wait(seconds)
    except subprocess.TimeoutExpired:
        program.kill()
        return program.wait()


def run_killed(seconds, *arguments):
    """Kills the program after some time. Returns whether it had ended well, and what it printed."""
    with open("printed", "w", encoding="utf-8") as out, open("told", "w", encoding="utf-8") as told:
        program = subprocess.Popen([ZHIWEN, *arguments], stdout=out, stderr=told)
        status = wait_or_kill(program, seconds)
    if status not in (0, -9):
        with open("told", encoding="utf-8") as told:
            sys.exit(f"failed: {' '.join(arguments)} ended with {status}: {told.read()}")
    with open("printed", encoding="utf-8") as out:
        return status == 0, out.read()


def write_records(path, records):
    with open(path, "w", encoding="utf-8") as file:
        for name, text in records:
            file.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")


class Life:
    """A library, and what each of its ids may have: texts, or None for nothing."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.may_have = {}
        self.certain = 0  # changes that were acknowledged
        self.seconds = 60.0
        run("library", "create", "lib", "-q")
        start = time.monotonic()
        self.add()  # to its end
        self.seconds = time.monotonic() - start

    def text(self):
        return "".join(self.random.choices(HAN, k=60))

    def names(self):
        count = self.random.choice([1, 20, 300])
        return self.random.sample([f"k{i}" for i in range(NAMES)], count)

    def moment(self):
        """Returns after how many seconds a program is killed."""
        return self.random.uniform(0, 1.1) * self.seconds

    def add(self):
        records = [(name, self.text()) for name in self.names() + self.names() + self.names()]
        records += [(f"k{self.random.randrange(NAMES)}", self.text()) for _ in range(2000)]
        write_records("feed.jsonl", records)
        _, printed = run_killed(self.moment(), "library", "add", "lib", "feed.jsonl",
                                "--acknowledge", "-q")
        lines = [line for line in printed.split("\n")[:-1] if line.isdigit()]
        safe = int(lines[-1]) if lines else 0
        self.certain += safe
        for i, (name, text) in enumerate(records):
            known = self.may_have.get(name, {None})
            self.may_have[name] = {text} if i < safe else known | {text}

    def remove(self, *options):
        names = [name for name in self.names() if name in self.may_have]
        if not names:
            return
        with open("ids.txt", "w", encoding="utf-8") as file:
            file.write("\n".join(names) + "\n")
        # Ids that are not there make the status 4.
        program = subprocess.Popen([ZHIWEN, "library", "remove", "lib", "--ids", "ids.txt", "-q",
                                    *options], stderr=subprocess.DEVNULL)
        status = wait_or_kill(program, self.moment() / 2)
        if status not in (0, 4, -9):
            sys.exit(f"failed: library remove ended with {status}")
        for name in names:
            self.may_have[name] = {None} if status != -9 else self.may_have[name] | {None}
        self.certain += len(names) if status != -9 else 0

    def purge(self):
        self.remove("--purge")

    def compact(self):
        run_killed(self.moment() / 2, "library", "compact", "lib", "-q")

    def step(self):
        self.random.choice([self.add, self.add, self.remove, self.purge, self.compact])()

    def check(self):
        """Compares the library with what it may have, and takes for certain what it has."""
        run("library", "compact", "lib", "-q")
        run("library", "fsck", "lib")
        listed = run("library", "list", "lib", "--json").splitlines()
        live = {json.loads(line)["id"] for line in listed}
        texts = {text: name for name, of in self.may_have.items() for text in of if text}
        has = self.find([(name, text) for text, name in texts.items()], {"same"})
        for name, may in self.may_have.items():
            found = {text for text in may if text and name in has.get((name, text), ())}
            if len(found) > 1 or (name in live) != bool(found) or (not found and None not in may):
                sys.exit(f"failed: of {name}, {len(found)} of {len(may)} texts are there; "
                         f"{'listed' if name in live else 'not listed'}")
            self.may_have[name] = found or {None}
        if live - set(self.may_have):
            sys.exit(f"failed: nobody added {sorted(live - set(self.may_have))[:3]}")
        # A part finds its document by the index of passages alone.
        sample = self.random.sample(sorted(live), min(len(live), 300))
        parts = [(name, next(iter(self.may_have[name]))[10:50]) for name in sample]
        found = self.find(parts, {"contained", "passages"})
        for part in parts:
            if part[0] not in found.get(part, ()):
                sys.exit(f"failed: a part of {part[0]} does not find it")

    @staticmethod
    def find(suspects, relations):
        """Returns the ids of the documents that are related so to each of (name, text)."""
        if not suspects:
            return {}
        write_records("suspects.jsonl", [(str(i), text) for i, (_, text) in enumerate(suspects)])
        found = {}
        for line in run("check", "lib", "suspects.jsonl", "--json").splitlines():
            answer = json.loads(line)
            found[suspects[int(answer["id"])]] = {
                match["document"]["id"] for match in answer["matches"]
                if match["relation"] in relations}
        return found


def anonymous_bytes(program):
    with open(f"/proc/{program.pid}/status", encoding="utf-8") as status:
        return sum(1024 * int(line.split()[1]) for line in status if line.startswith("RssAnon:"))


def check_memory():
    """Adds and checks at the same time; in the second half neither takes more than in the first."""
    commands = {"add": [ZHIWEN, "library", "add", "lib", "-", "-q"],
                "check": [ZHIWEN, "check", "lib", "-", "--json", "-q"]}
    programs = {name: subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                       text=True) for name, command in commands.items()}
    end = time.monotonic() + SECONDS

    def feed(name, program):
        source = random.Random(name)
        i = 0
        while time.monotonic() < end:
            text = "".join(source.choices(HAN, k=300))
            program.stdin.write(json.dumps({"id": f"{name}{i % 5000}", "text": text}) + "\n")
            i += 1
        program.stdin.close()
        fed[name] = i

    fed, peaks = {}, {name: [0, 0] for name in programs}
    feeds = [threading.Thread(target=feed, args=item) for item in programs.items()]
    for thread in feeds:
        thread.start()
    while time.monotonic() < end:
        half = 0 if end - time.monotonic() > SECONDS / 2 else 1
        for name, program in programs.items():
            peaks[name][half] = max(peaks[name][half], anonymous_bytes(program))
        time.sleep(0.05)
    for thread in feeds:
        thread.join()
    for name, program in programs.items():
        if program.wait() != 0:
            sys.exit(f"failed: {name} ended with {program.returncode}")
        first, second = peaks[name]
        print(f"{name}: {fed[name]} documents, {first >> 20} MiB, then {second >> 20} MiB")
        if second > first + max(first // 8, 8 << 20):
            sys.exit(f"failed: the memory of {name} grows from {first} to {second} bytes")


def main():
    life = Life(int(os.environ.get("ZW_SEED", 1)))
    for kill in range(1, KILLS + 1):
        life.step()
        if kill % 10 == 0 or kill == KILLS:
            life.check()
    for _ in range(50):  # of a machine so busy that every kill came first
        if life.certain:
            break
        life.step()
    if not life.certain:
        sys.exit("failed: nothing was acknowledged")
    print(f"{KILLS} kills, {life.certain} changes acknowledged")
    if IS_LONG:
        check_memory()


main()
