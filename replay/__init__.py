"""Replay: re-run the rules from a log's seed and answers, and compare the events.

A verdict on a log comes about in this order:

1. :mod:`replay.driver` runs the rules of the log's game. It takes the dice from the seed in the
   seal and each answer from the log, as if bots had given it.
2. :mod:`replay.streaming_verify` compares the bytes that the rules write with the bytes of the
   log. Equal bytes up to the seal mean ``verified``. This path is fast and explains nothing.
3. If the bytes differ, :mod:`schema.reader` reads the log strictly. It decides ``corrupt``,
   ``unsupported`` and ``incomplete``.
4. :mod:`replay.rerun` then compares event by event, and describes the first difference
   (``diverged``).
5. :mod:`replay.verify` chooses the verdict from these results. With :mod:`replay.tournament_links`
   it checks that the logs of a tournament belong together (``forged``).
6. :mod:`replay.signatures` checks a tournament's signed checkpoint, where a key is given.

The other modules show what the same run of the rules computes: the state at an event
(:mod:`replay.state`), everything about each event (:mod:`replay.timeline`), or what another answer
would have led to (:mod:`replay.whatif`).
"""
