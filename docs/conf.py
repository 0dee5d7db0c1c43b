"""Settings of Sphinx for the site: ``make site`` builds it into site/.

The source folder is the whole repository, so every page keeps its path and its links. Sphinx
reports a link that leads nowhere, and a page that is in no table of contents; ``-W`` makes these
errors.
"""

import sys
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any, get_origin

from pydantic import BaseModel
from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from generate import PART, Page, koth  # noqa: E402

project = "Koth"
html_title = "Koth"
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "games/*/RULES.md",
    "benchmarks/README.md",
    "benchmarks/figures.md",
    "tests/corpus/README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.githubpages", "sphinx_copybutton"]
myst_heading_anchors = 4
copybutton_prompt_text = "$ "
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_copy_source = False
html_domain_indices = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#00695c",
        "color-brand-content": "#00695c",
        "color-brand-visited": "#00695c",
        "sidebar-item-spacing-vertical": "0.2rem",
        "sidebar-caption-space-above": "0.75rem",
    },
    "dark_css_variables": {
        "color-brand-primary": "#4db6ac",
        "color-brand-content": "#4db6ac",
        "color-brand-visited": "#4db6ac",
    },
}


def play_the_dispute(app: Sphinx) -> None:
    """Play the tournament of docs/dispute.md, and write the page of its disputed match.

    The front page embeds it. Only the commands above the first generated part are run.
    """
    page = HERE / "dispute.md"
    beginning = page.read_text().partition("<!-- generated")[0]
    with TemporaryDirectory() as folder:
        PART.sub(Page(page, Path(folder)).part, beginning)
        koth("koth report dispute.jsonl -o match-17.html", Path(folder))
        target = Path(app.outdir, "docs")
        target.mkdir(exist_ok=True)
        copy(Path(folder, "match-17.html"), target)


def skip_aliases(
    app: Sphinx, what: str, name: str, member: object, skip: bool, options: object
) -> bool | None:
    """Skip members without words of their own: type aliases, model settings, tuple fields."""
    alias = get_origin(member) is not None
    tuple_field = str(member.__doc__).startswith("Alias for field number")
    return True if alias or tuple_field or name == "model_config" else None


def hide_model_signature(app: Sphinx, what: str, name: str, member: object, *_: Any) -> Any:
    """Hide the constructor of a model: only files make them, and its types fill a screen."""
    model = isinstance(member, type) and issubclass(member, BaseModel)
    return ("", None) if model else None


def redirect_to_front_page(app: Sphinx, error: Exception | None) -> None:
    """Write the site's index.html, which leads to the front page in docs/."""
    html = '<!doctype html><meta http-equiv="refresh" content="0; url=docs/index.html">'
    Path(app.outdir, "index.html").write_text(html)


def setup(app: Sphinx) -> None:
    """Register the steps of the build that are Koth's own."""
    app.connect("builder-inited", play_the_dispute)
    app.connect("autodoc-skip-member", skip_aliases)
    app.connect("autodoc-process-signature", hide_model_signature)
    app.connect("build-finished", redirect_to_front_page)
