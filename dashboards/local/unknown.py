"""What is said of something in the dashboard file that the local page cannot draw."""


class UnknownInDashboard(ValueError):
    """The file holds something the local page does not know; the message names where and what."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: the local dashboard does not know {what}")
