"""A seal opens with its own file only, shows nothing of what it holds, and notices every change."""

import base64
import json
import zlib

import pytest

from ldpcore.study import sealed

FILE = b"age,drug\n34,none\n51,heroin\n"
SAID = {"marks": ["HIV", "hépatite"], "epsilon": 1.7}


def test_it_opens_with_the_very_file_only() -> None:
    text = sealed.seal(SAID, sealed.key(FILE))
    assert sealed.unseal(text, sealed.key(FILE)) == SAID
    assert text == sealed.seal(SAID, sealed.key(FILE)), "the address does not change by itself"
    for other in (FILE + b"\n", FILE[:-1], b"", FILE.replace(b"34", b"35")):
        with pytest.raises(ValueError, match="another file"):
            sealed.unseal(text, sealed.key(other))


def test_every_flipped_bit_is_noticed() -> None:
    raw = bytearray(base64.urlsafe_b64decode(sealed.seal(SAID, sealed.key(FILE)) + "==="))
    for at in range(8 * len(raw)):
        raw[at // 8] ^= 1 << at % 8
        with pytest.raises(ValueError, match="another file"):
            sealed.unseal(base64.urlsafe_b64encode(raw).decode(), sealed.key(FILE))
        raw[at // 8] ^= 1 << at % 8


def test_two_seals_share_no_stream() -> None:
    """The difference of two seals is not that of what they hold: else two links of a file would tell of their marks."""
    one, two = (
        base64.urlsafe_b64decode(sealed.seal(said, sealed.key(FILE)) + "===")[sealed.TAG :] for said in ("HIV", "flu")
    )
    plain = [zlib.compress(json.dumps(said).encode(), 9) for said in ("HIV", "flu")]
    assert [len(one), len(two)] == [len(each) for each in plain]
    assert [a ^ b for a, b in zip(one, two, strict=True)] != [a ^ b for a, b in zip(*plain, strict=True)]
    assert one not in plain


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(ValueError, match="too long"):
        sealed.unseal(sealed.seal("0" * (sealed.MOST + 10), sealed.key(FILE)), sealed.key(FILE))


def test_its_key_is_not_the_digest_that_reports_print() -> None:
    from ldpcore import data

    assert sealed.key(FILE).hex() != data.read(FILE, "a.csv").digest
