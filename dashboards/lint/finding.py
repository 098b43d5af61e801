"""What a rule found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """place: page/widget or dataset; problem: what is wrong, with the field; remedy: what to do."""

    place: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.remedy}"
