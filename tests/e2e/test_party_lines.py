"""The card of a party in lines, in a terminal."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.test_party import free_ports
from tests.tui.test_main_terminal import Terminal


def test_the_card_is_read_out_and_everything_is_done_by_words(tmp_path: Path) -> None:
    port, ssh = map(str, free_ports(2))
    options = ("--plain", "--only-here", "--no-web", "--port", port, "--ssh", ssh, "--name", "Fred")
    terminal = Terminal(["party", *options], tmp_path, {})
    try:
        terminal.wait_for("Type ways, who, remove and a name, play or end.", 60)
        assert "Whoever enters the room first is its host." in terminal.text
        assert re.search(rf"1, ssh: ssh -p {ssh} NAME\+\w{{5}}@127\.0\.0\.1 \(password ", terminal.text)
        for typed, told in (
            ("who", "Nobody is here yet."),
            ("remove Ana", "Nobody of that name is here."),
            ("dance", "There is no such command."),
            ("ways", f"2, heat-tui: heat-tui connect 127.0.0.1:{port}"),
            ("play", "You are the host."),
            ("leave", "Leave the room?"),
            ("yes", "Type ways, who"),
        ):
            terminal.text = ""
            terminal.press(f"{typed}\n")
            terminal.wait_for(told, 30)
        terminal.press("end\n")
        assert terminal.wait() == 0
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()
