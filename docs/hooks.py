"""Add pages from outside docs/ to the site (a hook of MkDocs), and change links to them.

Links in a page are relative to its place in the repository. On the site, README.md is the first
page, and rulebooks have a folder of their own. A link to a source file becomes its text.
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
SITE_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    **{f"games/{file.parent.name}/RULES.md": f"rules/{file.parent.name}.md" for file in RULEBOOKS},
}
"""Pages outside docs/, by their paths in the repository: their paths on the site."""
SOURCES = {page: source for source, page in SITE_PAGES.items()}
ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):(?=<code>)")
LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/."""
    for source, page in SITE_PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Change links between files to links between pages of the site."""
    page_path = page.file.src_uri
    folder = posixpath.dirname(SOURCES.get(page_path, f"docs/{page_path}"))

    def change_link(link: re.Match[str]) -> str:
        if ":" in link["target"]:
            return link[0]
        source = posixpath.normpath(posixpath.join(folder, link["target"]))
        target = SITE_PAGES.get(source, source.removeprefix("docs/"))
        if files.get_file_from_path(target) is None:
            if (ROOT / source).exists() and not link["image"]:
                return link["text"]
            return link[0]  # a broken link, which MkDocs reports
        path = posixpath.relpath(target, posixpath.dirname(page_path) or ".")
        return f"{link['image']}[{link['text']}]({path}{link['anchor'] or ''})"

    return LINK.sub(change_link, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Remove the roles of names in docstrings, which Markdown does not know."""
    return ROLE.sub("", html)
