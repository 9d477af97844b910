"""Diagnose the encodings of public packages, as many as are installed, and print what is said of each.

    python benchmarks/in_the_wild.py [--length 60] [--width 32]

Nothing is asserted. A package that is missing, or has changed its names, is left out and said so.
"""

import argparse
import importlib
from collections.abc import Callable
from importlib import metadata
from typing import Any

import numpy as np

from pe_lib import diagnose

Tables = dict[str, Callable[[int, int], Any]]


def of(module: str, name: str) -> Any:
    """Return what a module calls by this name; it may be one of a class."""
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def version_of(name: str) -> str:
    """Return the version of the package that a name begins with, "" if it is none."""
    try:
        return metadata.version(name.split()[0])
    except metadata.PackageNotFoundError:
        return ""


def tutorial(length: int, width: int) -> np.ndarray:
    """Fill the table as PyTorch's tutorial does, in float32."""
    pos = np.arange(length, dtype=np.float32)[:, np.newaxis]
    w = np.exp(np.arange(0, width, 2, dtype=np.float32) * np.float32(-np.log(10_000.0) / width))
    table = np.zeros((length, 1, width), np.float32)
    table[:, 0, 0::2], table[:, 0, 1::2] = np.sin(pos * w), np.cos(pos * w)
    return table


def time_steps(length: int, width: int, **options: Any) -> Any:
    """Return the embeddings of time steps 0, 1, 2, … by diffusers."""
    torch = importlib.import_module("torch")
    make = of("diffusers.models.embeddings", "get_timestep_embedding")
    return make(torch.arange(length), width, **options)


def distilbert(length: int, width: int) -> Any:
    """Return the table that DistilBERT writes into its weights."""
    out = importlib.import_module("torch").zeros(length, width)
    of("transformers.models.distilbert.modeling_distilbert", "create_sinusoidal_embeddings")(length, width, out)
    return out


TABLES: Tables = {
    "PyTorch's tutorial, its lines": tutorial,
    "positional-encodings 1D": lambda n, d: of("positional_encodings.torch_encodings", "PositionalEncoding1D")(d)(
        importlib.import_module("torch").zeros(1, n, d)
    ),
    "openai-whisper sinusoids": lambda n, d: of("whisper.model", "sinusoids")(n, d),
    "transformers Whisper": lambda n, d: of("transformers.models.whisper.modeling_whisper", "sinusoids")(n, d),
    "transformers CTRL": lambda n, d: of("transformers.models.ctrl.modeling_ctrl", "positional_encoding")(
        n, d, importlib.import_module("torch").float32
    ),
    "transformers M2M-100": lambda n, d: of(
        "transformers.models.m2m_100.modeling_m2m_100", "M2M100SinusoidalPositionalEmbedding.get_embedding"
    )(n, d, 1),
    "transformers MusicGen": lambda n, d: of(
        "transformers.models.musicgen.modeling_musicgen", "MusicgenSinusoidalPositionalEmbedding.get_embedding"
    )(n, d),
    "diffusers time steps, shift 0": lambda n, d: time_steps(n, d, downscale_freq_shift=0),
    "diffusers time steps, shift 1": lambda n, d: time_steps(n, d, downscale_freq_shift=1),
    "diffusers time steps, flipped": lambda n, d: time_steps(n, d, flip_sin_to_cos=True, downscale_freq_shift=0),
    "diffusers grid": lambda n, d: of("diffusers.models.embeddings", "get_1d_sincos_pos_embed_from_grid")(
        d, importlib.import_module("torch").arange(n)
    ),
    "diffusers SinusoidalPositionalEmbedding": lambda n, d: (
        of("diffusers.models.embeddings", "SinusoidalPositionalEmbedding")(d, n).pe
    ),
    "transformers DistilBERT": distilbert,
    "x-transformers ScaledSinusoidalEmbedding": lambda n, d: of(
        "x_transformers.x_transformers", "ScaledSinusoidalEmbedding"
    )(d)(importlib.import_module("torch").zeros(1, n, d)),
    "joeynmt": lambda n, d: of("joeynmt.transformer_layers", "PositionalEncoding")(d, n).pe,
    "labml-nn": lambda n, d: of("labml_nn.transformers.positional_encoding", "get_positional_encoding")(d, n),
    "espnet": lambda n, d: of("espnet.nets.pytorch_backend.transformer.embedding", "PositionalEncoding")(d, 0.0, n).pe,
    "sockeye": lambda n, d: of("sockeye.layers", "get_positional_embeddings")(n, d),
    "keras-hub": lambda n, d: np.asarray(of("keras_hub.layers", "SinePositionEncoding")()(np.zeros((1, n, d)))),
}


def main() -> None:
    """Print a row for each table: whether it is right, and what is said."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--length", type=int, default=60)
    parser.add_argument("--width", type=int, default=32)
    options = parser.parse_args()
    print("| table | version | right | said | within |\n|---|---|---|---|--:|")
    missing = []
    for name, make in TABLES.items():
        try:
            found = diagnose(make(options.length, options.width))
        except (ImportError, AttributeError, TypeError) as trouble:
            missing.append(f"{name} ({trouble})")
            continue
        near = "" if found.within is None else f"{found.within:.1e}"
        said = ", ".join(found.codes) or "the encoding"
        print(f"| {name} | {version_of(name)} | {'yes' if found.ok else 'no'} | {said} | {near} |")
    print(*["\nNot installed, or changed:", *missing] if missing else [], sep="\n- ")


if __name__ == "__main__":
    main()
