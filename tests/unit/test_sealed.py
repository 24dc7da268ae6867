"""A seal opens with its own file only, shows nothing of what it holds, and notices every change."""

import base64

import numpy as np
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
    """The difference of two seals is not that of what they hold: else two links of a file would tell of their marks.
    Bits of 2 000 bytes agree in half of the places, within 0.03: by chance once in 10⁹ a right cipher would fail.
    """
    a, b = ("".join(chr(97 + v) for v in np.random.default_rng(s).integers(0, 26, 4000)) for s in (1, 2))
    one, two = (base64.urlsafe_b64decode(sealed.seal(x, sealed.key(FILE)) + "===")[sealed.TAG : 2016] for x in (a, b))
    for first, second in ((one, two), (one, bytes(len(one)))):
        same = np.unpackbits(np.frombuffer(first, np.uint8) ^ np.frombuffer(second, np.uint8)[: len(first)]).mean()
        assert abs(same - 0.5) < 0.03


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(ValueError, match="too long"):
        sealed.unseal(sealed.seal("0" * (sealed.MOST + 10), sealed.key(FILE)), sealed.key(FILE))


def test_its_key_is_not_the_digest_that_reports_print() -> None:
    from ldpcore import data

    assert sealed.key(FILE).hex() != data.read(FILE, "a.csv").digest
