"""The suite of misbehaving bots."""

import pytest

pytest.register_assert_rewrite("tests.abuse.playing")
