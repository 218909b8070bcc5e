"""Home without a face: the menu, what is forgotten, and what waits there to be shown."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import check_output

import pytest

from heat_tui.client.session_file import SavedSession, create_session_file, saved_sessions, take_session
from heat_tui.flow.home import ENTRIES, HomeController
from tests.tui.support_app import folders_in
from tests.tui.support_season import begun, season


def seat_saved(path: Path, code: str) -> None:
    file = create_session_file(folders_in(path))
    file.save(SavedSession("127.0.0.1:1", "secret", code, "Ana"))
    file.close()


def home_at(path: Path) -> HomeController:
    home = HomeController(folders_in(path), pytest.fail)
    home.refresh()
    return home


def test_the_menu_begins_with_seats_then_what_can_be_continued(tmp_path: Path) -> None:
    assert [line.entry for line in home_at(tmp_path).lines] == [*ENTRIES]
    for code in ("KXFRM", "B2Q7T"):
        seat_saved(tmp_path, code)
    begun(tmp_path).close()
    begun(tmp_path, begins=season("Dana", "Eli", year=1962)).close()
    home = home_at(tmp_path)
    assert [line.key for line in home.lines[:5]] == ["b", "b2", "g", "g2", "n"]
    assert home.lines[0].about == f"room {home.seats[0].code} at 127.0.0.1:1 as Ana"
    assert home.lines[2].about == "Championship 1962, race 1 of 3: Dana, Eli"
    assert home.lines[3].about == "Championship 1961, race 1 of 3: Ana"
    assert home.line("continue") == home.lines[2], "of several the first"
    assert home.line("quit") == home.lines[-1]


def test_a_seat_is_forgotten_unless_another_window_has_it(tmp_path: Path) -> None:
    for code in ("KXFRM", "B2Q7T"):
        seat_saved(tmp_path, code)
    home = home_at(tmp_path)
    first, second = home.seats
    assert home.forget(first)
    assert home.seats == [second] == saved_sessions(folders_in(tmp_path))
    window = take_session(folders_in(tmp_path), second)
    assert window is not None
    assert not home.forget(second)
    assert home.seats == [], "the other window has it"
    window.close()
    home.refresh()
    assert home.seats == [second]


def test_faults_are_reported_and_news_is_given_once(tmp_path: Path) -> None:
    championship = begun(tmp_path)
    championship.close()
    championship.path.write_bytes(b"")
    faults: list[str] = []
    home = HomeController(folders_in(tmp_path), faults.append)
    home.refresh()
    home.refresh()
    assert home.saved == []
    (fault,) = faults
    assert fault.startswith("A saved championship cannot be continued: its file is damaged.")
    home.leave_news("The room was closed.")
    assert home.take_news() == "The room was closed."
    assert home.take_news() == ""


def test_what_is_put_away_is_offered_again(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    home.close_game()
    home.games.begin_championship(season())
    home.refresh()
    assert home.saved == []
    home.close_game()
    home.refresh()
    assert len(home.saved) == 1


def test_without_anything_saved_home_loads_no_table(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from heat_tui.state import Folders; "
        "from heat_tui.flow.home import HomeController; path = Path(sys.argv[1]); "
        "home = HomeController(Folders(path, path, path), print); home.refresh(); home.close_game(); "
        "print('heat_core.table' in sys.modules, 'textual' in sys.modules)"
    )
    assert check_output([sys.executable, "-c", code, str(tmp_path)], text=True) == "False False\n"
