"""Tests of koth/."""
