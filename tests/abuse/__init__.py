"""Tests with bots that misbehave."""

import pytest

pytest.register_assert_rewrite("tests.abuse.parties")
