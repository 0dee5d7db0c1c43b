"""The message that a failed bot wrote is found among the other lines of its standard error."""

from __future__ import annotations

import pytest

from referee import error_messages
from referee.bot import Bot

MESSAGES = {
    "TypeError: no": """
        js.js:3
        x.y
          ^

        TypeError: no
            at f (js.js:3:15)

        Node.js v20.1.0""",
    "TypeError: odd": """
        TypeError: odd
            at f (js.js:3:15) {
          info: {
            errno: -2,
            message: 'no such file or directory',
          },
          code: 'ODD'
        }

        Node.js v20.1.0""",
    "a.rb:2:in `f': no (NoMethodError)": """
        a.rb:2:in `f': no (NoMethodError)

        def f = nil.foo
                   ^^^^
            from a.rb:3:in `<main>'""",
    "PHP Fatal error:  Uncaught Exception: no in a.php:3": """
        PHP Fatal error:  Uncaught Exception: no in a.php:3
        Stack trace:
        #0 {main}
          thrown in a.php on line 3""",
    "an error of R": """
        Error in f() :
          an error of R
        Calls: f -> stop
        Execution halted""",
    "panic: no": """
        panic: no

        goroutine 1 [running]:
        main.main()
            /a.go:2 +0x1a
        exit status 2""",
    "out of bounds": """
        thread 'main' panicked at a.rs:1:5:
        out of bounds
        note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace""",
    "Caused by: Oops: no": """
        Exception in thread: Oops
            at A.main(A.java)
        Caused by: Oops: no
            ... 1 more""",
    "syntax error at a.pl line 1, near": """
        syntax error at a.pl line 1, near
        Execution of a.pl aborted due to compilation errors.""",
    "Oops: no": """
        Traceback (most recent call last):
          File "<stdin>", line 1, in <module>
            raise ValueError: Oops("no")
        Oops: no""",
    "at the end": "at the end",
    "": "",
}


@pytest.mark.parametrize("message", MESSAGES)
def test_the_message_in_each_language(message: str) -> None:
    """The message is found before a stack trace, before source code and after it."""
    assert error_messages.message(Bot("fox", ("fox",), ()), MESSAGES[message]) == message
