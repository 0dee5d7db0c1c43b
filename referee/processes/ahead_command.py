"""The command that starts a bot's interpreter with a program that waits for the bot's arguments.

The program is one of ``ahead.*`` and ``KothAhead.*`` in :mod:`referee.in_bot`. An option of the
interpreter that could change its start, or that could run code of the bot at once, rules the
command out.
"""

from __future__ import annotations

import posixpath
import re
import stat
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from referee.bot import Bot, BotFile

_INTERPRETER_LINE = re.compile(rb"#![ \t]*(/\S*/env[ \t]+[^-=\s]+|/\S+)[ \t]*\n")
"""The first line of a script whose interpreter gets no options."""

_NODE, _RUBY = re.compile(r"node(js)?"), re.compile(r"ruby[0-9.]*")
_PHP, _PERL = re.compile(r"php[0-9.]*"), re.compile(r"perl[0-9.]*")

_PERL_LINE = re.compile(rb"[^!]*|#![^\s!]*(/env[ \t]+)?perl[0-9.]*([ \t]+-w)?[ \t\r]*")
"""The first line of a Perl script, unless Perl takes options or another program from it."""

_JAVA_OPTION = re.compile(
    r"-X(m[nsx]|ss)[0-9]+[kKmMgG]?|-Xint|-Xshare:[a-z]+|-(ea|da|server)"
    r"|-XX:([+-]\w+|\w+=[0-9.]+[kKmMgGtT]?)|-D(?!(java|javax|jdk|sun|com\.sun)\.).+"
)
"""Options of Java that do not change the meaning of the words after them, and run no code.

``-XX:VMOptionsFile=…`` may name an agent, and ``-Djava.system.class.loader=…`` a class of the bot.
"""

QUICK_JAVA = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:ArchiveRelocationMode=0",
    "-XX:CompressedClassSpaceSize=256m",
    "-XX:G1HeapRegionSize=4m",
    "-XX:-UsePerfData",
)
"""Options that start Java in less time.

Java has an archive of its own classes. It adapts all pointers in it to a random address, unless the
archive may be at the address for which it was made. And Java reserves 1 GiB of addresses for
classes; then the limit on the address space leaves too little for the C library's heaps of its
threads, which try in vain to reserve one at each allocation. Java maps its heap in regions, which
are small, and many, if addresses are limited. It also writes counters for its tools to a file in
``/tmp``. An older Java ignores unknown options.
"""

_STACK_TRACES = b"StackTrace", b"StackWalker"
"""Parts of the names in a class file that looks at stack traces."""

_HASH_CODES = b"Hash", b"hashCode", b"Collectors"
"""Parts of the names in a class file that may depend on hash codes which Java makes up."""

_MANIFEST = "META-INF/MANIFEST.MF"

_STARTING = ("launcher-", "premain-", "agent-", "add-", "enable-", "class-path")
"""Beginnings of attributes in a manifest that change the start of Java, or add other files."""

MAX_JAR = 16 << 20
"""Maximum bytes of all files in a JAR that is searched."""

_CLASS_PATH = ("-cp", "-classpath", "--class-path")
_CLASS_NAME = re.compile(r"[\w$]+(\.[\w$]+)*")

WAITING, _FIRST = "KothAhead", "-Xbootclasspath/a:"
"""The class that waits, and the option with whose folder Java takes it from no other place."""


@lru_cache(maxsize=256)
def command(bot: Bot, folder: str) -> Sequence[str]:
    """Return the command that starts ``bot`` ahead; none if only an ordinary start is the same.

    ``folder`` is the path of :mod:`referee.in_bot` for the bot.
    """
    program, *words = _interpreter(bot) or [""]
    files = dict(bot.files)
    name = Path(program).name
    if name == "java":
        return _java(program, words, folder, files)
    if not words or words[0].startswith("-") or words[0].removeprefix("./") not in files:
        return ()
    if _NODE.fullmatch(name):
        return [program, "-r", f"{folder}/ahead.js", *words]
    if _RUBY.fullmatch(name):
        return [program, "-r", f"{folder}/ahead.rb", *words]
    if _PHP.fullmatch(name):
        return [program, "-d", f"auto_prepend_file={folder}/ahead.php", *words]
    if _PERL.fullmatch(name):
        first, *_ = files[words[0].removeprefix("./")].content.split(b"\n", 1)
        before = [f"-I{folder}", "-MKothAhead"]
        return [program, *before, *words] if _PERL_LINE.fullmatch(first) else ()
    if name == "Rscript":
        profile = f"R_PROFILE_USER={folder}/ahead.R"
        return ["env", "R_ENVIRON_USER=/dev/null", profile, program, *words]
    return ()


def _interpreter(bot: Bot) -> Sequence[str]:
    """Return the interpreter that the bot's command starts, with its words; none for another."""
    program, *words = bot.command
    if "/" not in program or Path(program).is_absolute():
        return bot.command
    file = bot.own_program
    if file is None or _INTERPRETER_LINE.match(file.content) is None or not bot.programs:
        return ()
    return [bot.programs[0], program, *words]


def waits(bot: Bot, home: Path) -> bool:
    """Return whether a process that starts in the folder ``home`` now would wait.

    An earlier decision may have left a class there that Java would run instead of KothAhead.
    """
    words = command(bot, "")
    if WAITING not in words or _FIRST in words[: words.index(WAITING)]:
        return True
    _, path, _, _ = _java_words(_interpreter(bot)[1:])
    return not any(_may_replace(home, element) for element in path.split(":"))


def _may_replace(home: Path, element: str) -> bool:
    """Return whether Java may take KothAhead from a folder in the class path."""
    path = home
    try:
        for part in (*PurePosixPath(element).parts, f"{WAITING}.class"):
            if not stat.S_ISDIR(path.lstat().st_mode):
                return True  # a link, or a JAR, which may have any name
            path /= part
        path.lstat()
    except FileNotFoundError:
        return False
    except OSError:
        pass
    return True


def _java(
    program: str, words: Sequence[str], folder: str, files: Mapping[str, BotFile]
) -> Sequence[str]:
    """Return the command for a class of Java, or for a JAR; none for a module or a source file.

    A frame of Koth is hidden in the stack traces of a bot that may look at them. That takes work
    which changes the hash codes of the bot's objects, so such a bot may not depend on these. The
    same is done where a JAR or a file of the bot could replace KothAhead.
    """
    settings, path, is_jar, rest = _java_words(words)
    own = any(word.startswith("-X") for word in settings)
    quick = () if own else QUICK_JAVA  # they could change the meaning of the bot's own options
    classes = {name: classes_of(name, file.content) for name, file in files.items()}
    if is_jar:
        main = main_class(classes.get(path, {}))
    else:
        main = rest[0] if rest and not rest[0].endswith(".java") else ""
    if ":" in folder or not _CLASS_NAME.fullmatch(main):
        return ()
    contents = [content for members in classes.values() for content in members.values()]
    may_look, may_hash = (
        any(word in content for content in contents for word in words)
        for words in (_STACK_TRACES, _HASH_CODES)
    )
    own_folders = all(_is_own_folder(element, files) for element in path.split(":"))
    may_replace = not own_folders or f"{WAITING}.class" in map(posixpath.basename, files)
    hidden = may_look or may_replace
    if hidden and may_hash:
        return ()
    paths = ["-cp", path] if path != "." else []
    shown = [*paths, f"{_FIRST}{folder}"] if hidden else ["-cp", f"{path}:{folder}"]
    return [program, *quick, *settings, *shown, WAITING, main, *rest]


def _java_words(words: Sequence[str]) -> tuple[Sequence[str], str, bool, Sequence[str]]:
    """Return options, class path, whether a JAR runs, and the words from it or the class on."""
    options, path = 0, "."
    while options < len(words):
        if words[options] in _CLASS_PATH and options + 1 < len(words):
            path = words[options + 1]
            options += 2
        elif _JAVA_OPTION.fullmatch(words[options]):
            options += 1
        else:
            break
    settings, rest = words[:options], words[options:]
    if rest[:1] == ["-jar"] and len(rest) > 1:
        return settings, rest[1], True, rest[1:]
    return settings, path, False, rest


def _is_own_folder(element: str, files: Mapping[str, BotFile]) -> bool:
    """Return whether an element of a class path can only be a folder in the bot's own folder."""
    outside = element.startswith("/") or ".." in PurePosixPath(element).parts
    return not outside and "*" not in element and posixpath.normpath(element) not in files


def classes_of(name: str, content: bytes) -> Mapping[str, bytes]:
    """Return the files in a JAR by name, or else the file itself.

    A JAR that is large or damaged has only a text that counts as one that looks at stack traces.
    """
    if not name.endswith(".jar"):
        return {name: content}
    try:
        with ZipFile(BytesIO(content)) as jar:
            if sum(member.file_size for member in jar.infolist()) <= MAX_JAR:
                return {member.filename: jar.read(member) for member in jar.infolist()}
    except (BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, RuntimeError):
        pass
    return {"": _STACK_TRACES[0]}


def main_class(jar: Mapping[str, bytes]) -> str:
    """Return the main class of a JAR; ``""`` if its manifest has none, or changes Java's start."""
    text = jar.get(_MANIFEST, b"").decode(errors="replace").replace("\r\n", "\n")
    lines = text.replace("\n ", "").partition("\n\n")[0].splitlines()
    pairs = (line.partition(":") for line in lines)
    attributes = {key.lower(): value.strip() for key, _, value in pairs}
    changes_start = any(key.startswith(_STARTING) for key in attributes)
    return "" if changes_start else attributes.get("main-class", "")
