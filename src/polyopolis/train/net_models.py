"""PyTorch models that predict the further points of a city, in units of `POINTS_PER_UNIT`."""

import torch
from torch import Tensor, nn
from torch.nn import functional

POINTS_PER_UNIT = 10.0
"""Points that correspond to an output of 1."""


class SlimNet(nn.Module):
    """A wide first layer over the input bits and two small layers; small enough for the kernels."""

    def __init__(self, bits: int, wide: int = 128, inner: int = 32) -> None:
        super().__init__()
        self.first, self.second, self.out = nn.Linear(bits, wide), nn.Linear(wide, inner), nn.Linear(inner, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, bits: Tensor) -> Tensor:
        inner = functional.relu(self.second(functional.relu(self.first(bits))))
        return functional.linear(inner.float(), self.out.weight.float(), self.out.bias.float())[:, 0]


class DeepNet(nn.Module):
    """A wider first layer and residual blocks; used as a teacher."""

    def __init__(self, bits: int, wide: int = 896, inner: int = 512, blocks: int = 2) -> None:
        super().__init__()
        self.first = nn.Linear(bits, wide)
        self.up = nn.ModuleList(nn.Linear(wide, inner) for _ in range(blocks))
        self.down = nn.ModuleList(nn.Linear(inner, wide) for _ in range(blocks))
        self.out = nn.Linear(wide, 1)
        for layer in (*self.down, self.out):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, bits: Tensor) -> Tensor:
        known = functional.relu(self.first(bits))
        for up, down in zip(self.up, self.down, strict=True):
            known = functional.relu(known + down(functional.relu(up(known))))
        return functional.linear(known.float(), self.out.weight.float(), self.out.bias.float())[:, 0]


NETS = {"slim": SlimNet, "deep": DeepNet}


def net_of(kind: str, words: int) -> nn.Module:
    return NETS[kind](64 * words)


class BitUnpacker:
    """Unpacks words into rows of zeros and ones by a table of bytes.

    Eight half-precision numbers have the size of one complex number, so a GPU copies each byte's row in one piece.
    """

    def __init__(self, device: torch.device) -> None:
        self.kind = torch.float16 if device.type == "cuda" else torch.float32
        eights = (torch.arange(256)[:, None] >> torch.arange(8) & 1).half()
        self._eights = torch.view_as_complex(eights.view(torch.float64)).to(device)

    def __call__(self, sight: Tensor) -> Tensor:
        bytes_of = sight.view(torch.uint8)
        eights = torch.index_select(self._eights, 0, bytes_of.flatten().int())
        return torch.view_as_real(eights).view(torch.float16).view(len(sight), -1).to(self.kind)
