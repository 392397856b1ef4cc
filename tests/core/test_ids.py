"""Ids and secrets."""

import uuid

from app.core.ids import fingerprint, new_id, new_secret


def test_ids_are_uuids_of_version_seven_and_all_differ() -> None:
    ids = [new_id() for _ in range(2000)]
    assert len(set(ids)) == len(ids)
    assert all(uuid.UUID(id).version == 7 and str(uuid.UUID(id)) == id for id in ids)


def test_ids_sort_by_creation_to_the_millisecond() -> None:
    stamps = [uuid.UUID(new_id()).int >> 80 for _ in range(2000)]
    assert stamps == sorted(stamps)


def test_a_secret_has_256_bits_and_is_safe_in_an_address() -> None:
    secret = new_secret()
    assert len(secret) == 43
    assert secret.replace("-", "").replace("_", "").isalnum()


def test_any_text_has_a_fingerprint_also_what_is_no_unicode() -> None:
    assert len(fingerprint("a\udc80b")) == 32
    assert fingerprint("a") != fingerprint("b")
