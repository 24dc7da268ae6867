"""What was said of a file, so that a link may carry it: sealed with the file itself, and open to whoever has that very
file. Nobody else reads the names of its columns or what is marked in them.

The key is a digest of the file's bytes that is published nowhere: a Study's digest is another function of them. Whoever
can guess a file byte by byte can open its seal, and needs it no more.
"""

import base64
import hashlib
import hmac
import json
import zlib
from typing import Any

PURPOSE, TAG = b"ldpcore.sealed.1", 16
MOST = 1_000_000
"""Bytes of what was sealed: of more nothing is unpacked."""


def key(content: bytes) -> bytes:
    """The key of a file: 32 bytes that follow from all of its bytes.

    >>> key(b"age\\n34\\n") == key(b"age\\n34\\n"), key(b"age\\n34\\n") == key(b"age\\n35\\n"), len(key(b""))
    (True, False, 32)
    """
    return hashlib.blake2b(content, digest_size=32, key=PURPOSE).digest()


def seal(said: Any, with_key: bytes) -> str:
    """What JSON can say, as text for an address; the same text for the same words and key.

    The tag of the words is the nonce of their cipher, SHAKE256 of key and tag (as in RFC 5297, where AES does it).

    >>> text = seal({"marks": ["HIV"]}, key(b"a file"))
    >>> unseal(text, key(b"a file"))
    {'marks': ['HIV']}
    """
    plain = zlib.compress(json.dumps(said, ensure_ascii=False).encode(), 9)
    tag = _tag(plain, with_key)
    return base64.urlsafe_b64encode(tag + _crypt(plain, tag, with_key)).decode().rstrip("=")


def unseal(text: str, with_key: bytes) -> Any:
    """What was sealed. ValueError: it was sealed with another file, or is no seal.

    >>> unseal(seal(1, key(b"a file")), key(b"another"))
    Traceback (most recent call last):
    ...
    ValueError: this was sealed with another file
    """
    raw = base64.urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
    tag, plain = raw[:TAG], _crypt(raw[TAG:], raw[:TAG], with_key)
    if not hmac.compare_digest(tag, _tag(plain, with_key)):
        raise ValueError("this was sealed with another file")
    unpacked = zlib.decompressobj()
    written = unpacked.decompress(plain, MOST)
    if not unpacked.eof:
        raise ValueError("this is too long to have been sealed here")
    return json.loads(written)


def _tag(plain: bytes, with_key: bytes) -> bytes:
    return hashlib.blake2b(plain, digest_size=TAG, key=with_key, person=b"tag").digest()


def _crypt(data: bytes, tag: bytes, with_key: bytes) -> bytes:
    stream = hashlib.shake_256(with_key + tag).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))
