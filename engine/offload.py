"""Full tuning in shards, and with optimizer states in the host's memory: what stays on each GPU, and what it costs.

ZeRO-3 shares out weights, gradients and optimizer states. `offload=cpu` keeps the optimizer states in host memory:
each step the gradients go down to it and the changed weights come up again.
"""

from dataclasses import dataclass
from typing import Final

from engine.gpus import Gpu
from engine.job import Job
from engine.tuning import RECIPES
from engine.units import GB

NODE_HOST_GB: Final = 2000.0
"""Host memory of a node of eight. Source: sizing guide, economics (node_host_memory)."""
PCIE_SHARE: Final = 0.8
"""Share of a PCIe link's one-way rate that copies reach. Source: effective 12, 25 and 50-55 of 15.8, 31.5 and 63 GB/s
(interconnect figures of 2026)."""
PCIE_GB_S: Final = {"pcie3": 15.8, "pcie4": 31.5, "pcie5": 63.0}
"""One way, x16. Source: PCIe 3 to 5."""
PCIE_OF_ARCHITECTURE: Final = {
    "Volta": "pcie3",
    "Turing": "pcie3",
    "Ampere": "pcie4",
    "Ada": "pcie4",
    "CDNA 3": "pcie5",
}
"""Generation of the link to the host by architecture; later ones PCIe 5. Source: data sheets."""
SHARES_OF_ZERO: Final = {
    0: (),
    1: ("optimizer",),
    2: ("optimizer", "gradients"),
    3: ("optimizer", "gradients", "weights"),
}
"""What each ZeRO stage shares out. Source: ZeRO (Rajbhandari et al., 2020), section 5."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What a step of a job in shards moves between GPUs and host memory. GB over all GPUs.

    Attributes:
        host_gb: optimizer states in host memory.
        each_step_gb: gradients down and weights up.
        seconds_a_step: for that, at the effective rate of each GPU's link; None where the link is not known.
    """

    host_gb: float
    each_step_gb: float
    seconds_a_step: float | None


def host_gb(job: Job) -> float:
    """GB of optimizer states.

    >>> from engine.job import job_of
    >>> from engine.question import Question
    >>> host_gb(job_of(Question(model="70b", params_b=70.0, workload="full"))[0])
    840.0
    """
    return job.shape.params_total * RECIPES[job.optimizer].optimizer / GB


def moved(job: Job, gpu: Gpu, count: int) -> Moved:
    """What `offload=cpu` moves on a set.

    >>> from engine.gpus import gpu
    >>> from engine.job import job_of
    >>> from engine.question import Question
    >>> job = job_of(Question(model="70b", params_b=70.0, workload="full"))[0]
    >>> one = moved(job, gpu("h100-sxm-80"), 8)
    >>> one.each_step_gb, round(one.seconds_a_step, 2)
    (280.0, 0.69)
    """
    recipe = RECIPES[job.optimizer]
    step_gb = job.shape.params_total * (recipe.gradients + recipe.weights) / GB
    rate = host_link_gb_s(gpu)
    return Moved(host_gb(job), step_gb, None if rate is None else step_gb / count / rate)


def host_link_gb_s(gpu: Gpu) -> float | None:
    """Effective GB/s between one GPU and its host, one way; None for a GPU of which only the memory is known."""
    if gpu.is_nameless:
        return None
    link = gpu.link if gpu.link in PCIE_GB_S else PCIE_OF_ARCHITECTURE.get(gpu.architecture, "pcie5")
    return PCIE_SHARE * PCIE_GB_S[link]
