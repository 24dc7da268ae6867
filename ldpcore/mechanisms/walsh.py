"""Walsh-Hadamard transforms: H[j, y] = −1 where j & y has an odd number of ones. A row's own symbols are its +1."""

import numpy as np
from numpy.typing import NDArray


def transform(rows: NDArray) -> NDArray:
    """Walsh-Hadamard transform of the last axis, whose length is a power of two; integers stay exact."""
    out = np.array(rows)
    step = 1
    while step < out.shape[-1]:
        pairs = out.reshape(*out.shape[:-1], -1, 2, step)
        one, other = pairs[..., 0, :] + pairs[..., 1, :], pairs[..., 0, :] - pairs[..., 1, :]
        pairs[..., 0, :], pairs[..., 1, :] = one, other
        step *= 2
    return out


def odd(one: NDArray, other: NDArray) -> NDArray[np.bool_]:
    """Where H is −1."""
    return (np.bitwise_count(one & other) & 1).astype(bool)


def draw_symbols(holders: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Counts of users by row (..., b) → counts of the symbols they draw, each uniform among its row's own: (..., b).

    The symbol's bits are drawn from the highest down. What matters of a user's row are its lower bits and whether the
    bits so far leave an even or an odd number of ones to come: users alike in that are one binomial.
    """
    width = holders.shape[-1]
    # (..., symbols so far, even or odd, lower bits of the row)
    state = np.stack([holders, np.zeros_like(holders)], axis=-2)[..., None, :, :]
    while width > 1:
        width //= 2
        state = state.reshape(*state.shape[:-1], 2, width)
        one = rng.binomial(state, 0.5)
        # A row with nothing below: its own bit must settle the parity.
        one[..., 0, 1, 0], one[..., 1, 1, 0] = 0, state[..., 1, 1, 0]
        zero = state - one
        low = zero[..., 0, :] + zero[..., 1, :]
        high = one[..., 0, :] + one[..., ::-1, 1, :]
        state = np.stack([low, high], axis=-3).reshape(*low.shape[:-3], -1, 2, width)
    return state[..., 0, 0]
