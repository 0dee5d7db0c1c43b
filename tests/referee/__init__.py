"""Tests of referee/."""
