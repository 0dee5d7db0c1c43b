"""The rule ``bank_heist/rabble_fate_without_a_heist``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has, heist


@doctored
def _changed() -> Heist:
    log = heist(has("rabble_fates", "."))
    rolled = log.event(type="heist_rolled")
    rolled["rabble_fates"] = rolled["rabble_fates"].replace(".", "f", 1)
    return log


@doctored
def _one_more() -> Heist:
    log = heist(type="heist_rolled")
    log.event(type="heist_rolled")["rabble_fates"] += "."
    return log


def test_rabble_fate_without_a_heist() -> None:
    """A fate of a member of the rabble that did not bet is found, and one of no member."""
    assert fired(_changed) == {"bank_heist/rabble_fate_without_a_heist"}
    assert fired(_one_more) == {"bank_heist/rabble_fate_without_a_heist"}
