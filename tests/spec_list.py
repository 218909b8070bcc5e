"""The list of requirements that tests can prove."""

from importlib.resources import files


def read_requirements() -> list[tuple[str, str]]:
    """Returns (identifier, text) of each line of spec.txt, in its order, twice if it stands there twice."""
    lines = files("tests").joinpath("spec.txt").read_text(encoding="utf-8").splitlines()
    entries = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(identifier, text) for identifier, text in entries]
