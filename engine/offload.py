"""Full tuning in shards, and with optimizer states in the host's memory: what stays on each GPU, and what it costs.

ZeRO-3 shares out weights, gradients and optimizer states. `offload=cpu` keeps the optimizer states in host memory:
each step the gradients go down to it and the changed weights come up again.
"""

import math
from typing import Final

from engine.answer import Host
from engine.errors import NotModelled
from engine.gpus import Gpu
from engine.job import Job
from engine.offers import GPUS_A_NODE
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
FULL_STAGE: Final = 3
"""The ZeRO stage that shares out weights too. Source: ZeRO (Rajbhandari et al., 2020), section 5."""


def check_sharding(job: Job) -> None:
    """What is not reckoned of sharding and offload.

    Raises:
        NotModelled: a ZeRO stage that leaves the weights whole on each GPU; offload of anything but full tuning.
    """
    stage = job.tuning.zero_stage
    if stage is not None and stage < FULL_STAGE:
        raise NotModelled(
            f"zero={stage}", reason="it leaves the weights whole on each GPU", allowed=f"zero={FULL_STAGE}"
        )
    if not job.tuning.offload_cpu:
        return
    if job.workload != "full":
        raise NotModelled(
            f"offload=cpu {job.workload}",
            reason="it moves the optimizer states of full tuning; an adapter has hardly any",
            allowed="full tuning, as in 70b full zero=3 offload=cpu",
        )
    if job.engine != "guide":
        raise NotModelled(
            f"offload=cpu {job.engine}", reason="no measured run tells", allowed="the same without an engine word"
        )


def host_gb(job: Job) -> float:
    """GB of optimizer states in host memory.

    >>> from engine.job import job_of
    >>> from engine.question import Question, Tuning
    >>> question = Question(model="70b", params_b=70.0, workload="full", tuning=Tuning(offload_cpu=True))
    >>> host_gb(job_of(question)[0])
    840.0
    """
    return job.shape.params_total * RECIPES[job.optimizer].optimizer / GB


def host_of(job: Job, gpu: Gpu | None, count: int) -> Host:
    """Host memory that `offload=cpu` takes, and what each step moves over the links between host and GPUs.

    Args:
        job: full tuning.
        gpu: of the set; None where none is known.
        count: GPUs in the set.

    Returns:
        GB over all GPUs: gradients down and weights up each step, at the effective one-way rate of each GPU's link.

    Source: ZeRO-Offload (Ren et al., 2021), section 4: gradients down, half-precision weights up.

    >>> from engine.gpus import gpu
    >>> from engine.job import job_of
    >>> from engine.question import Question, Tuning
    >>> question = Question(model="70b", params_b=70.0, workload="full", tuning=Tuning(offload_cpu=True))
    >>> one = host_of(job_of(question)[0], gpu("h100-sxm-80"), 8)
    >>> one.each_step_gb, round(one.seconds_a_step, 2)
    (280.0, 0.69)
    """
    recipe = RECIPES[job.optimizer]
    step_gb = job.shape.params_total * (recipe.gradients + recipe.weights) / GB
    rate = None if gpu is None else host_link_gb_s(gpu)
    return Host(
        gb=host_gb(job),
        of_gb=NODE_HOST_GB * math.ceil(count / GPUS_A_NODE),
        each_step_gb=step_gb,
        seconds_a_step=None if rate is None else step_gb / count / rate,
    )


def host_link_gb_s(gpu: Gpu) -> float | None:
    """Effective GB/s between one GPU and its host, one way; None for a GPU of which only the memory is known."""
    if gpu.is_nameless:
        return None
    link = gpu.link if gpu.link in PCIE_GB_S else PCIE_OF_ARCHITECTURE.get(gpu.architecture, "pcie5")
    return PCIE_SHARE * PCIE_GB_S[link]
