"""Tests of replay/."""
