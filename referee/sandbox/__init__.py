"""Confine a bot with bubblewrap, seccomp, cgroups and limits."""
