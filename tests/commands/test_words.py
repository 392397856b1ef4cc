"""Text of others on a terminal."""

import json

from app.commands.words import indented, json_text, one_line, visible

HOSTILE = "red \x1b[31m, bell \a, back \b, csi \x9b31m, del \x7f, \u202eesrever\u202c, half \ud800, line \u2028"


def test_a_control_character_is_written_out() -> None:
    assert visible("\x1b]0;title\a") == "\\x1b]0;title\\x07"
    assert visible("a\rb") == "a\\x0db"
    assert visible("\x9b31m") == "\\x9b31m"


def test_newlines_tabs_and_letters_of_every_script_stay() -> None:
    text = "a\tb\nçé 日本語 👩‍👩‍👧"
    assert visible(text) == text


def test_the_line_ends_of_another_system_are_line_ends() -> None:
    assert visible("one\r\ntwo") == "one\ntwo"


def test_marks_that_turn_the_direction_of_writing_are_written_out() -> None:
    assert visible("\u202eabc\u2066") == "\\u202eabc\\u2066"


def test_what_is_shown_can_always_be_encoded() -> None:
    visible(HOSTILE).encode()
    one_line(HOSTILE).encode()
    indented(HOSTILE).encode()
    json_text(HOSTILE).encode()


def test_json_says_the_same_and_holds_no_control_character() -> None:
    written = json_text({"text": HOSTILE})
    assert json.loads(written) == {"text": HOSTILE}
    assert visible(written) == written


def test_a_line_is_cut_to_its_width() -> None:
    assert one_line("a  long\nline", 6) == "a lon…"
    assert one_line("a  long\nline", 11) == "a long line"
