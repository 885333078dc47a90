"""What a process takes beside weights and cache."""

from typing import Final

RUNTIME_OVERHEAD_GB: Final = 2.0
"""CUDA context, framework and fragmentation of one process, GB. Source: sizing guide, rules ("Need")."""
