"""A hook of MkDocs: the site's pages that lie elsewhere in the repository, and links to them.

Pages are written to be read where they lie. On the site README.md is the first page, and rulebooks
have a folder of their own; a link to what is no page there, as a source file, becomes its text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
RULEBOOKS = sorted(ROOT.glob("games/*/RULES.md"))
ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    **{f"games/{file.parent.name}/RULES.md": f"rules/{file.parent.name}.md" for file in RULEBOOKS},
}
"""The names on the site of pages that lie outside of docs/."""
LYING = {page: source for source, page in ELSEWHERE.items()}
ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):(?=<code>)")
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere."""
    for source, page in ELSEWHERE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files into links between pages of the site."""
    here = page.file.src_uri
    folder = posixpath.dirname(LYING.get(here, f"docs/{here}"))

    def linked(found: re.Match[str]) -> str:
        if ":" in found["target"]:
            return found[0]
        source = posixpath.normpath(posixpath.join(folder, found["target"]))
        target = ELSEWHERE.get(source, source.removeprefix("docs/"))
        if files.get_file_from_path(target) is None:
            if (ROOT / source).exists() and not found["image"]:
                return found["text"]
            return found[0]  # a broken link, and MkDocs says so
        way = posixpath.relpath(target, posixpath.dirname(here) or ".")
        return f"{found['image']}[{found['text']}]({way}{found['anchor'] or ''})"

    return LINK.sub(linked, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Drop the roles of names in docstrings, which Markdown does not know."""
    return ROLE.sub("", html)
