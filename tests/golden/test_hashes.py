"""Hashes are other people's: phones in another language must mix alike."""

import numpy as np

from ldpcore.mechanisms import local_hashing


def test_words_are_mixed_as_splitmix64_does():
    """The first outputs of the reference generator for the state 0 (Vigna, splitmix64.c), which adds the golden ratio
    before it mixes, as `_mix` does.
    """
    states = np.arange(3, dtype=np.uint64) * local_hashing._GOLDEN
    printed = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert local_hashing._mix(states).tolist() == printed
