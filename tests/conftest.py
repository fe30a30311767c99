"""What every test may rely on: two Hypothesis profiles, one flag that rewrites expected outputs, one that chooses overlays."""

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.e2e.installed.overlays import OVERLAYS

# `fast` runs with every change; `deep` tries 5,000 pods for each property: pytest --hypothesis-profile=deep tests/properties
settings.register_profile("fast", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("deep", parent=settings.get_profile("fast"), max_examples=5000)
settings.register_profile(
    "mutation",
    parent=settings.get_profile("fast"),
    max_examples=20,
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    database=None,
)
settings.load_profile("fast")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag of `make golden`, the one that chooses how `make e2e` installs percard, and that of `make differential`."""
    parser.addoption("--rewrite-golden", action="store_true", help="write expected outputs anew instead of comparing with them")
    parser.addoption("--overlay", action="append", choices=OVERLAYS, help="run tests/e2e/installed on this overlay, not on each")
    parser.addoption("--whole-grid", action="store_true", help="compare every memory with every compute: some 25 million verdicts")


@pytest.fixture
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    """Say whether expected outputs are to be written instead of compared."""
    return bool(request.config.getoption("--rewrite-golden"))
