"""Bots in other languages that start before their question give the logs of an ordinary start."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import orjson
import pytest

from referee import in_bot, match
from referee.bot import Bot, BotFile
from referee.match import MatchJob
from referee.pools import pool
from referee.processes import ahead_command, start_ahead
from referee.protocols import workspace
from referee.sandbox import sandbox
from schema import registry
from tests.referee.bot_factory import patience
from tests.sampling import left_to_the_long_run, sampled

FOLDER = "/run/koth"
IN_BOT = Path(in_bot.__file__).parent
QUICK = ahead_command.QUICK_JAVA
SEED = "7" * 64

CURIOUS = {
    "curious.js": """
        const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
        const told = [process.argv.slice(2), process.execArgv, process.env.KOTH_BOT_SEED];
        const input = readFileSync(0).length;
        const frames = new Error("x").stack.replaceAll(__dirname, "");
        console.log(JSON.stringify([...told, readdirSync("."), input, frames, module.children]));
        console.log(Object.keys(require.cache).length, process.pid < 9 ? process.pid : "");
        writeFileSync("seen.txt", process.argv[2]);
    """,
    "curious.rb": """
        p ARGV, ARGV.map(&:encoding), ENV.to_h.keys.sort, ENV["KOTH_BOT_SEED"], $0, __FILE__
        p STDIN, $stdin.read, caller, Dir.children(".").sort, local_variables, DATA.read
        File.write("seen.txt", ARGV[0])
        __END__
        its data
    """,
    "curious.R": """
        print(commandArgs()[-1]); print(commandArgs(trailingOnly = TRUE)); print(search())
        print(sort(names(Sys.getenv()))); print(Sys.getenv("KOTH_BOT_SEED")); print(sys.calls())
        print(readLines(file("stdin"))); print(list.files()); print(ls(all.names = TRUE))
        print(formals(commandArgs)); cat(ARGS <- commandArgs(TRUE), file = "seen.txt")
    """,
    "curious.php": """
        <?php
        var_dump($argv, $argc, $_SERVER["argv"], $_SERVER["argc"], getenv("KOTH_BOT_SEED"));
        var_dump(array_keys(get_defined_vars()), get_defined_functions()["user"], $argv[0]);
        var_dump(fgets(STDIN), file_get_contents("php://stdin"), scandir("."), error_get_last());
        var_dump(time() - $_SERVER["REQUEST_TIME"] < 5, (new Exception("x"))->getTraceAsString());
        file_put_contents("seen.txt", $argv[1]);
        exit(3);
    """,
    "curious.pl": """
        use warnings;
        print 0 + $!, "|$0|@ARGV|", scalar(@ARGV), "|$ENV{KOTH_BOT_SEED}|", join(",", %ENV{LANG});
        print join(",", @INC, sort(keys %INC), sort(grep { !/ANON/ } keys %main::)), __LINE__;
        print -c STDIN, eof(STDIN), defined(<STDIN>), <DATA>, caller, readlink("/proc/self/fd/0");
        open(my $file, ">", "seen.txt");
        print fileno($file), time - $^T < 5, print($file $ARGV[0]);
        print sort glob("*");
        die "with an error";
        __DATA__
        its data
    """,
    "Curious.java": """
        import java.util.*;
        import java.nio.file.*;

        class Curious {
            public static void main(String[] args) throws Exception {
                System.out.println(Arrays.asList(args) + System.getenv("KOTH_BOT_SEED"));
                for (String name : new String[] {"java.class.path", "sun.java.command"}) {
                    System.out.println(System.getProperty(name));
                }
                System.out.println(System.in.read() + Thread.currentThread().getName());
                System.out.println(Arrays.asList(new Throwable().getStackTrace()));
                Files.writeString(Path.of("seen.txt"), args[0]);
                throw new IllegalStateException("with an error");
            }
        }
    """,
    "Order.java": """
        import java.util.*;

        class Order {
            public static void main(String[] args) throws Exception {
                Set<Object> places = new HashSet<>(Arrays.asList(Thread.State.values()));
                for (int count = 0; count < 20; count++) {
                    places.add(new Object());
                }
                Object[] squares = args.clone();
                System.out.println(places + System.getenv("KOTH_BOT_SEED") + squares.hashCode());
                Runnable last = () -> System.out.println(new int[args.length]);
                last.run();
            }
        }
    """,
    "Steady.java": """
        class Steady {
            public static void main(String[] args) {
                for (String name : new String[] {"java.class.path", "sun.java.command"}) {
                    System.out.println(System.getProperty(name) + args[args.length - 1]);
                }
                System.exit(args.length);
            }
        }
    """,
}
"""Programs that print what they can see of their start."""

COMMANDS = {
    "curious.js": ("node", "curious.js", "own"),
    "curious.rb": ("ruby", "curious.rb"),
    "curious.R": ("Rscript", "curious.R"),
    "curious.php": ("php", "curious.php", "own"),
    "curious.pl": ("perl", "curious.pl", "own", "--", ""),
    "Curious.java": ("java", "-cp", ".", "Curious", "own"),
    "Order.java": ("java", "-cp", ".", "Order"),
    "Steady.java": ("java", "-Xmx64m", "-jar", "steady.jar", "own"),
}


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Bot]:
    """Return the curious bot of a source file; the test is skipped without its interpreter."""
    folder = tmp_path_factory.mktemp("classes")

    def curious(source: str) -> Bot:
        command = COMMANDS[source]
        text = "\n".join(line.removeprefix(" " * 8) for line in CURIOUS[source].splitlines()[1:])
        name = source
        (folder / source).write_text(text)
        needed = [command[0], *(["javac"] if source.endswith(".java") else [])]
        if missing := [program for program in needed if shutil.which(program) is None]:
            pytest.skip(f"there is no {missing[0]}")
        if source.endswith(".java"):
            subprocess.run(["javac", source], cwd=folder, check=True)
            name = source.replace(".java", ".class")
        if "-jar" in command:
            name, classes = command[command.index("-jar") + 1], (folder / name).read_bytes()
            (folder / name).write_bytes(jar("Main-Class: Steady", "Steady.class", classes))
        return Bot("curious", command, ((name, BotFile((folder / name).read_bytes(), False)),))

    return curious


def play(
    folder: Path, bot: Bot, isolation: str = "process", cold: bool = False
) -> tuple[bytes, list[dict[str, object]]]:
    """Play a short match of a bot against itself; return its log and its evidence by answer."""
    job = MatchJob(
        game="coins",
        rules="coins/1",
        tournament="ahead",
        match="1-000000",
        bots=(bot, bot),
        settings=registry.card("coins").settings({"rounds": 2, "time_limit_s": 30}).model_dump(),
        seed=SEED,
        log=folder / f"{cold}-{isolation}.jsonl",
        evidence=folder / f"{cold}-{isolation}-evidence.jsonl",
        isolation=isolation,
        cold=cold,
    )
    match.play(job)
    notes = [orjson.loads(line) for line in job.evidence.read_bytes().splitlines()[1:]]
    return job.log.read_bytes(), notes


@pytest.mark.parametrize(
    "source",
    sampled(
        {name: name for name in COMMANDS},
        ["curious.js", "curious.pl", "Curious.java", "Order.java"],
    ),
)
def test_the_log_is_that_of_a_cold_start(
    source: str, bots: Callable[[str], Bot], tmp_path: Path
) -> None:
    """Arguments, environment, input, files, stack and hash codes are those of an ordinary start."""
    bot = bots(source)
    log, notes = play(tmp_path, bot)
    cold_log, cold_notes = play(tmp_path, bot, cold=True)
    assert log == cold_log
    assert SEED.encode() in log
    assert [note.get("ahead") for note in notes] == [None, True, True, True]
    assert [note.get("stderr") for note in notes] == [note.get("stderr") for note in cold_notes]


@pytest.mark.skipif(bool(sandbox.unavailable_reason()), reason="there is no sandbox")
def test_in_a_sandbox_too(bots: Callable[[str], Bot], tmp_path: Path) -> None:
    """In a sandbox a bot cannot see the difference either: its process number is the same."""
    bot = bots("curious.js")
    log, notes = play(tmp_path, bot, "sandbox")
    assert log == play(tmp_path, bot, "sandbox", cold=True)[0]
    assert [note.get("ahead") for note in notes] == [None, True, True, True]


def test_a_start_that_fails_ahead_is_an_ordinary_one(tmp_path: Path) -> None:
    """A process that ends before it took its arguments has run no code of the bot."""
    if shutil.which("ruby") is None:
        pytest.skip("there is no ruby")
    bot = Bot("late", ("ruby", "late.rb"), (("late.rb", BotFile(b"puts 'NNN'", False)),))
    ahead = start_ahead.Ahead(bot, 30)
    with pool.lent(bot, cold=True) as server:
        server.folder = str(tmp_path)  # without the file that waits
        ahead.start(server, tmp_path, SEED)
        assert ahead.finish(SEED, ["question"]) is None
    assert not ahead.possible
    pool.close()  # no other test gets the server without that file


def test_a_process_that_waits_ends_with_its_match(tmp_path: Path) -> None:
    """Another seed, too many arguments, or the end of the match: the process ends unasked."""
    if shutil.which("ruby") is None:
        pytest.skip("there is no ruby")
    bot = Bot("late", ("ruby", "late.rb"), (("late.rb", BotFile(b"puts 'NNN'", False)),))
    bot.install(tmp_path)
    for arguments in (["other seed"], ["x" * 65_536], ["with \0"], None):
        ahead = start_ahead.Ahead(bot, 30)
        with pool.lent(bot, cold=True) as server:
            ahead.start(server, tmp_path, SEED)
            while b"ruby" not in Path(f"/proc/{server.fork}/cmdline").read_bytes():
                time.sleep(0.001)
            if arguments is None:
                ahead.abandon()
            else:
                other = "8" * 64 if arguments == ["other seed"] else SEED
                assert ahead.finish(other, arguments) is None
            assert server.is_alive()
            assert server.ended


def test_arguments_that_a_small_pipe_does_not_take_are_not_waited_for(tmp_path: Path) -> None:
    """The referee goes on if the process reads nothing: a user with many pipes gets small ones."""
    bot = Bot("late", ("perl", "late.pl"), (("late.pl", BotFile(b"print 'NNN'", False)),))
    bot.install(tmp_path)
    ahead = start_ahead.Ahead(bot, 30)
    with pool.lent(bot, cold=True) as server:
        ahead.start(server, tmp_path, SEED)
        while b"perl" not in Path(f"/proc/{server.fork}/cmdline").read_bytes():
            time.sleep(0.001)
        assert ahead._waiting is not None
        fcntl.fcntl(ahead._waiting.arguments, fcntl.F_SETPIPE_SZ, 4096)
        os.kill(server.fork, signal.SIGSTOP)
        with patience():
            assert ahead.finish(SEED, ["x" * 5000]) is None
    assert server.ended


def test_a_process_that_waited_leaves_no_descriptor(tmp_path: Path) -> None:
    """The referee closes all pipes, whether the process was asked, refused or abandoned."""
    if shutil.which("ruby") is None:
        pytest.skip("there is no ruby")
    bot = Bot("late", ("ruby", "late.rb"), (("late.rb", BotFile(b"puts 'NNN'", False)),))
    bot.install(tmp_path)
    pool.close()
    before = len([*Path("/proc/self/fd").iterdir()])
    for seed in (SEED, "8" * 64, None):
        ahead = start_ahead.Ahead(bot, 30)
        with pool.lent(bot, cold=True) as server:
            ahead.start(server, tmp_path, SEED)
            if seed is None:
                ahead.abandon()
            else:
                assert (ahead.finish(seed, ["question"]) is None) == (seed != SEED)
    pool.close()
    assert len([*Path("/proc/self/fd").iterdir()]) == before


def made(command: Sequence[str], name: str = "bot.x", content: bytes = b"") -> Sequence[str]:
    """Return the command that starts a bot of one file ahead."""
    bot = Bot("bot", tuple(command), ((name, BotFile(content, True)),))
    return ahead_command.command(bot, FOLDER)


def test_commands_that_start_ahead() -> None:
    """The program that waits comes before the bot's script, and all its own words are kept."""
    js, rb, profile = (f"{FOLDER}/ahead.{suffix}" for suffix in ("js", "rb", "R"))
    assert made(["node", "bot.x", "a"]) == ["node", "-r", js, "bot.x", "a"]
    assert made(["ruby3.1", "./bot.x"]) == ["ruby3.1", "-r", rb, "./bot.x"]
    php = ["php8.2", "-d", f"auto_prepend_file={FOLDER}/ahead.php", "bot.x", "-d"]
    assert made(["php8.2", "bot.x", "-d"]) == php
    perl = ["perl", f"-I{FOLDER}", "-MKothAhead", "bot.x"]
    for first in ("print 1", "# a comment", "#!/usr/bin/perl -w", "#!/usr/bin/env perl5.36"):
        assert made(["perl", "bot.x"], content=first.encode()) == perl
    variables = ["R_ENVIRON_USER=/dev/null", f"R_PROFILE_USER={profile}"]
    assert made(["Rscript", "bot.x"]) == ["env", *variables, "Rscript", "bot.x"]
    shebang = b"#!/usr/bin/env ruby\nputs 1"
    assert made(["./bot.x"], content=shebang) == ["ruby", "-r", rb, "./bot.x"]
    for options in (
        b"#!/usr/bin/env -S ruby -w",
        b"#!/usr/bin/ruby -w",
        b"#!/usr/bin/env A=b ruby",
    ):
        assert made(["./bot.x"], content=options + b"\nputs 1") == ()
    java = ["java", "-Xmx64m", "-Dx=y", "-cp", "lib:.", "a.Bot", "b"]
    with_path = [*java[:5], "-cp", f"lib:.:{FOLDER}", "KothAhead", "a.Bot", "a.Bot", "b"]
    assert made(java, "Bot.class") == with_path
    hidden = [*java[:5], "-cp", "lib:.", f"-Xbootclasspath/a:{FOLDER}", *with_path[7:]]
    assert made(java, "Bot.class", b"..printStackTrace..") == hidden
    assert made(java, "Bot.class", b"..printStackTrace..java/util/HashMap..") == ()
    assert made(java, "Bot.class", b"..java/util/HashMap..") == with_path
    assert made(java, "lib.jar") == hidden
    for path in (".:lib.jar", ".:/opt/lib", "../lib", "lib/*"):
        command = made(["java", "-cp", path, "Bot"], "lib.jar", jar("Created-By: x"))
        assert command[-5:-3] == [path, f"-Xbootclasspath/a:{FOLDER}"]


def test_java_starts_quickly_unless_the_bot_has_options_of_its_own() -> None:
    """Options that save time come before all others; a bot's own ``-X`` rules them out."""
    end = ["-cp", f".:{FOLDER}", "KothAhead", "Bot", "Bot"]
    assert made(["java", "-ea", "Bot"]) == ["java", *QUICK, "-ea", *end]
    for own in ("-Xmx64m", "-Xshare:off", "-XX:+UseSerialGC", "-Xint"):
        assert made(["java", "-ea", own, "Bot"]) == ["java", "-ea", own, *end]


def jar(manifest: str, name: str = "Bot.class", content: bytes = b"") -> bytes:
    """Return a JAR with this manifest and a class."""
    data = BytesIO()
    with ZipFile(data, "w") as file:
        file.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\n{manifest}\r\n\r\n")
        file.writestr(name, content)
    return data.getvalue()


def test_a_jar_starts_ahead_by_its_main_class() -> None:
    """The manifest names the main class; an attribute that changes the start rules it out.

    A JAR may hold a class KothAhead, or name another place of one, so it never comes before Koth.
    """
    command, main = ["java", "-ea", "-jar", "bot.jar", "b"], "Main-Class: a.Lo\r\n ng"
    end = ["KothAhead", "a.Long", "bot.jar", "b"]
    hidden = ["java", *QUICK, "-ea", "-cp", "bot.jar", f"-Xbootclasspath/a:{FOLDER}", *end]
    assert made(command, "bot.jar", jar(main)) == hidden
    assert made(command, "bot.jar", jar(main, content=b"..HashMap..")) == ()
    for bad in ("Created-By: x", f"{main}\r\nAdd-Opens: a/b", f"{main}\r\nClass-Path: c.jar"):
        assert made(command, "bot.jar", jar(bad)) == ()
    assert made(command, "bot.jar", jar(main)[:40]) == ()
    assert made(command, "other.jar", jar(main)) == ()


@pytest.mark.parametrize(
    "command",
    [
        ("node", "--jitless", "bot.x"),
        ("node", "other.js"),
        ("node",),
        ("ruby", "-w", "bot.x"),
        ("php", "-n", "bot.x"),
        ("php", "-r", "echo 1;"),
        ("Rscript", "--vanilla", "bot.x"),
        ("java", "Bot.java"),
        ("java", "-jar", "bot.jar"),
        ("java", "-javaagent:a.jar", "Bot"),
        ("java", "-Djava.system.class.loader=Bot", "Bot"),
        ("java", "-XX:VMOptionsFile=bot.x", "Bot"),
        ("java", "-XX:Flags=bot.x", "Bot"),
        ("java", "-m", "a/b.Bot"),
        ("java", "-cp"),
        ("java",),
        ("perl", "-w", "bot.x"),
        (sys.executable, "bot.x"),
        ("./bot.x",),
        ("a/../bot.x",),
        ("a/../node", "bot.x"),
        ("././java", "Bot"),
    ],
)
def test_other_commands_start_as_they_are(command: tuple[str, ...]) -> None:
    """An option of the interpreter that could change its start rules out a start ahead."""
    assert made(command) == ()


@pytest.mark.parametrize("program", ["node", "ruby", "php", "perl", "Rscript"])
def test_a_file_whose_name_is_an_option_starts_as_it_is(program: str) -> None:
    """The interpreter does not run such a file, and could change its start."""
    assert made([program, "-e"], "-e") == ()


@pytest.mark.parametrize(
    "first",
    [
        b"#!/usr/bin/perl -s",
        b"#!/usr/bin/perl -w -s",
        b"#!/bin/sh",
        b" #!perl -n",
        b":#!perl -i",
        "#!perl -s".encode("utf-16"),
        b"\xef\xbb\xbf#!perl -p",
    ],
)
def test_a_perl_script_with_options_starts_as_it_is(first: bytes) -> None:
    """Perl reads options, or the name of another program, from the first line of a script."""
    assert made(["perl", "bot.x"], content=first + b"\nprint 1") == ()


EARLY_R = {
    "bot.R": 'cat(if (exists("early")) "early\\n" else "ordinary\\n")',
    "early.R": "early <- TRUE",
    ".Renviron": "R_PROFILE=early.R",
}


@pytest.mark.parametrize("written", [False, True], ids=["brought", "written"])
@pytest.mark.parametrize("language", ["R", "java"])
def test_no_file_of_the_bot_runs_before_its_question(
    language: str, written: bool, tmp_path: Path
) -> None:
    """Variables of R, and a class in the place of KothAhead, rule out a start ahead.

    The bot may have brought them, or have written them in its folder in an earlier decision.
    """
    command: tuple[str, ...]
    if language == "R":
        command, trap = ("Rscript", "bot.R"), ".Renviron"
        files = {name: text.encode() for name, text in EARLY_R.items()}
    else:
        if shutil.which("javac") is None:
            pytest.skip("there is no javac")
        for name in ("Bot", "KothAhead"):
            program = f'System.in.readAllBytes(); System.out.println("{name}");'
            text = f"public static void main(String[] a) throws Exception {{ {program} }}"
            (tmp_path / f"{name}.java").write_text(f"class {name} {{ {text} }}")
        subprocess.run(["javac", "Bot.java", "KothAhead.java"], cwd=tmp_path, check=True)
        trap = "KothAhead.class"
        files = {name: (tmp_path / name).read_bytes() for name in ("Bot.class", trap)}
        command = ("java", "-cp", ".", "Bot")
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    home = tmp_path / "home"
    brought = {name: content for name, content in files.items() if not (written and name == trap)}
    bot = Bot("bot", command, tuple((name, BotFile(brought[name], False)) for name in brought))
    bot.install(home)
    (home / trap).write_bytes(files[trap])
    outcome = None
    if ahead_command.waits(bot, home):
        ahead = start_ahead.Ahead(bot, 30)
        with pool.lent(bot, cold=True) as server:
            ahead.start(server, home, SEED)
            outcome = ahead.finish(SEED, ["question"])
    assert outcome is None or outcome.output == b"Bot\n"


def test_a_class_that_a_bot_wrote_is_seen(tmp_path: Path) -> None:
    """A start ahead needs folders in the class path, without links, and without KothAhead."""
    bot = Bot("bot", ("java", "-cp", "lib:.", "Bot", "-Xbootclasspath/a:"), ())
    home, lib = tmp_path / "bot", tmp_path / "bot/lib"
    home.mkdir()
    assert ahead_command.waits(bot, home)
    lib.mkdir()
    assert ahead_command.waits(bot, home)
    (lib / "KothAhead.class").touch()
    assert not ahead_command.waits(bot, home)
    shutil.rmtree(lib)
    lib.symlink_to(tmp_path)
    assert not ahead_command.waits(bot, home)
    lib.unlink()
    lib.write_bytes(b"a JAR")
    assert not ahead_command.waits(bot, home)


def test_workers_start_nothing_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """With several jobs, the bots of other matches keep the processors busy."""
    process = SimpleNamespace(parent_process=lambda: None)
    monkeypatch.setitem(sys.modules, "multiprocessing.process", process)
    assert workspace.ahead_at_once(cold=False) > 0
    assert workspace.ahead_at_once(cold=True) == 0
    process.parent_process = SimpleNamespace
    assert workspace.ahead_at_once(cold=False) == 0


@left_to_the_long_run
def test_the_class_is_made_from_its_source(tmp_path: Path) -> None:
    """``KothAhead.class`` is the output of the compiler of Java 17."""
    version = (
        shutil.which("javac")
        and subprocess.run(["javac", "-version"], capture_output=True, text=True, check=True).stdout
    )
    if not version or not version.startswith("javac 17."):
        pytest.skip("there is no javac of Java 17")
    options = ["-g:none", "--source", "11", "--target", "11", "-d", str(tmp_path), "--add-exports"]
    exported = "java.base/jdk.internal.vm.annotation=ALL-UNNAMED"
    source = IN_BOT / "KothAhead.java"
    subprocess.run(["javac", *options, exported, source], capture_output=True, check=True)
    made_now = (tmp_path / "KothAhead.class").read_bytes()
    assert made_now == (IN_BOT / "KothAhead.class").read_bytes()
