"""Home in lines: the menu, where each entry leads, and that whatever is left leads back to it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from heat_core.options.table_options import USUAL_BOT
from heat_core.wire.address import Address
from heat_tui.client.session_file import (
    SavedSession,
    SessionFile,
    create_session_file,
    saved_sessions,
    take_session,
)
from heat_tui.flow.home import ENTRIES
from heat_tui.flow.own_games import OwnGames
from heat_tui.nearby import NearbyServer
from heat_tui.plain.home import Home
from heat_tui.plain.joining import join_somewhere
from heat_tui.plain.line_terminal import Left
from heat_tui.plain.words import spoken
from heat_tui.saved.records import record_files
from heat_tui.state import Folders, Settings, load_settings, save_settings
from heat_tui.words.how_to_play import sections
from tests.tui.support_app import folders_in, until
from tests.tui.support_plain import MENU, SILENCE, Terminal, Walker, by_script, example_in
from tests.tui.support_season import begun, season

pytestmark = pytest.mark.asyncio


async def at_home(
    path: Path, *typed: str, answer: Callable[[str], str | None] | None = None
) -> tuple[Terminal, bool]:
    """Type lines at home, then nothing more; tells whether the program was quit before that."""
    folders = folders_in(path)
    if not load_settings(folders).name:
        save_settings(folders, Settings(name="Ana", hints=False))
    terminal = Terminal(answer or by_script(*typed))
    try:
        async with asyncio.timeout(60):
            await Home(terminal.line_terminal, folders, None).run()
    except Left:
        return terminal, False
    return terminal, True


def menus(terminal: Terminal) -> int:
    return terminal.lines.count("Home.")


async def test_the_menu_has_the_entries_of_the_home_screen(tmp_path: Path) -> None:
    terminal, _ = await at_home(tmp_path)
    told = terminal.lines[1 : 1 + len(ENTRIES)]
    for entry, line in zip(ENTRIES, told, strict=True):
        assert line.startswith(f"{entry.key}: {entry.label}")
        assert line.endswith(".")
    assert terminal.prompts == [f"{MENU} Enter takes n; menu says all of it. For example: n"]


@pytest.mark.parametrize("typed", ["q", "quit", "QUIT", "leave", "exit", "qu"])
async def test_the_program_is_quit_by_letter_and_by_name(tmp_path: Path, typed: str) -> None:
    terminal, is_quit = await at_home(tmp_path, typed)
    assert is_quit
    assert menus(terminal) == 1


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("", "Which track: USA, Great Britain, "),
        ("n", "Which track: USA, Great Britain, "),
        ("new race", "Which track: USA, Great Britain, "),
        ("race", "Which track: USA, Great Britain, "),
        ("h", "Who drives? Type the names"),
        ("c", "Which season: 1961, "),
        ("champ", "Which season: 1961, "),
        ("j", "Type a server's address, the number"),
        ("p", "Enter continues, "),
        ("s", "Type name, colour, hints, "),
        ("l", "You are 3rd, "),
    ],
)
async def test_each_entry_leads_somewhere_and_leaving_leads_back(
    tmp_path: Path, typed: str, asked: str
) -> None:
    terminal, is_quit = await at_home(tmp_path, typed, "leave", *["yes"][: typed == "l"], "quit")
    assert terminal.prompts[1].startswith(asked)
    assert is_quit
    assert menus(terminal) == 2
    assert terminal.text.count("q: Quit.") == 1, "the menu is said whole once"


async def test_what_is_not_in_the_menu_is_one_sentence_and_asked_again(tmp_path: Path) -> None:
    terminal, _ = await at_home(tmp_path, "x", "ho", "\x1b[31m", "forget b", "?", "menu")
    for typed in ("x", "ho", "forget b"):
        assert f"The menu has no {typed!r}." in terminal.text
    assert "\x1b" not in terminal.text.replace("\x1b[31m\n", "")
    assert menus(terminal) == 1
    assert terminal.text.count("q: Quit.") == 3, "a question mark tells it again, and so does menu"
    assert len(set(terminal.prompts)) == 1


async def test_from_the_menu_to_a_result_its_replay_and_out(tmp_path: Path) -> None:
    chosen = iter(["n", "replays", "quit"])
    terminal, is_quit = await at_home(tmp_path, answer=Walker(chosen).answer)
    assert is_quit
    assert "The race is over" in terminal.text
    assert menus(terminal) == 3
    assert len(record_files(folders_in(tmp_path))) == 1
    who_drove = rf"Ana, \w+ \({USUAL_BOT}\), Legend 1 \(Legend\), Legend 2"
    assert re.search(f"Netherlands, 1 lap, standard rules: {who_drove}", terminal.text)
    assert terminal.text.isascii()


async def test_what_was_chosen_is_offered_the_next_time(tmp_path: Path) -> None:
    typed = ["n", "", "", "", "", "set name Zoe", "set colour blue", "", "leave", "yes", "n", "", "", "", ""]
    terminal, _ = await at_home(tmp_path, *typed)
    settings = load_settings(folders_in(tmp_path))
    assert (settings.name, settings.colour) == ("Zoe", "blue")
    assert terminal.text.count("Zoe, first car blue; 5 Legends, level medium; no bots.") == 2


async def test_a_hot_seat_asks_for_names_first(tmp_path: Path) -> None:
    typed = ["h", "", "Ana,ana", "Ana, " + "x" * 30, "Ana, Ben", "", "1", "", "", ""]
    terminal, _ = await at_home(tmp_path, *typed)
    for refusal in ("Type at least one name", "Two drivers have the same name.", "A name has at most 16"):
        assert refusal in terminal.text
    assert "Ana, Ben, first car red; 2 Legends, level medium; no bots." in terminal.text
    assert "Pass the keyboard to Ana, then Enter" in terminal.prompts[-1]
    assert load_settings(folders_in(tmp_path)).name == "Ana", "nobody's name is put in its place"


async def test_a_championship_is_set_up_left_and_continued(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    setting_up = ["1960", "usa moon gb", "usa gb", "usa, gb, italy", "1", "", "1", ""]
    changes = ["set season none", "set track usa", "set season 1962", "set sponsorships on", "set events on"]
    terminal, is_quit = await at_home(tmp_path, "c", *setting_up, *changes, "", "leave", "quit")
    for told in (
        "season can be 1961, ",
        "or 3 or 4 tracks. The tracks are USA, Great Britain, ",
        "Championship on USA, Great Britain, Italy, events on, sponsorships off; 1 lap.",
        "The options are season, events, ",
        "Championship 1962, sponsorships on; 1 lap.",
        "Ana, first car red; 1 Legend, level medium; no bots.",
    ):
        assert told in terminal.flow, told
    assert is_quit
    assert [saved.text for saved in OwnGames(folders, print).saved()] == ["Championship 1962, race 1 of 3"]
    terminal, _ = await at_home(
        tmp_path, "", "leave", "c", "?", "1961", "", "leave", "c", "new", "leave", "quit"
    )
    assert "g: Continue, Championship 1962, race 1 of 3." in terminal.text
    assert "Type new, or press Enter." in terminal.text
    assert terminal.text.count("Enter races. drive, a name") == 2
    assert terminal.text.count("Which season: 1961, ") == 1


async def test_every_saved_championship_is_continued(tmp_path: Path) -> None:
    begun(tmp_path, begins=season("Dana", "Eli")).close()
    terminal, _ = await at_home(
        tmp_path, "c", "new", "1962", "", "Fay", "", "", "", "leave", "g2", "leave", "quit"
    )
    assert "Also saved: Championship 1961, race 1 of 3. Continue it from home." in terminal.flow
    assert "g: Continue, Championship 1962, race 1 of 3: Fay." in terminal.text
    assert "g2: Continue, Championship 1961, race 1 of 3: Dana, Eli." in terminal.text
    assert len(OwnGames(folders_in(tmp_path), print).saved()) == 2


async def test_the_page_about_the_game_is_read_part_by_part(tmp_path: Path) -> None:
    terminal, _ = await at_home(tmp_path, "p", "", "5", "back", "0", "x", "?", "all")
    read = [spoken(text) for _, text in sections()][:-1]
    for text in read:
        assert text in terminal.flow or text == read[2] or text == read[3] or text == read[4]
    assert "Phase 5, react. Cool down" in terminal.flow
    assert terminal.flow.count("Phase 4, adrenaline. ") == 1
    assert terminal.text.count("A phase must be a number from 1 to 9.") == 2
    assert "The parts are The aim; Your cards; Phase 1, shift; " in terminal.text
    assert "Everything can be clicked" not in terminal.text
    assert menus(terminal) == 2, "behind the last part comes the menu"


async def test_settings_are_told_and_changed(tmp_path: Path) -> None:
    typed = ["colour mauve", "colour BLUE", "name", "name Zoe", "hints on", "hints maybe", "nearby off"]
    terminal, _ = await at_home(
        tmp_path,
        "s",
        *typed,
        "replays off",
        "bell on",
        "bell turn off",
        "bell",
        "sound on",
        "words some",
        "?",
        "",
        "quit",
    )
    kept = load_settings(folders_in(tmp_path))
    assert (kept.name, kept.colour, kept.hints, kept.nearby, kept.replays) == (
        "Zoe",
        "blue",
        True,
        False,
        False,
    )
    for told in (
        "name Ana.",
        "words can be few, usual or all.",
        "The colours are red, blue, ",
        "Saved: colour blue.",
        "A name needs at least one letter.",
        "Saved: hints on: the next race explains each phase.",
        "hints can be on or off.",
        "Saved: nearby off: the program does not look for servers.",
        "Saved: bell on: it rings for turn, time, spin-out and end.",
        "Saved: bell on: it rings for time, spin-out and end.",
        "bell can be on or off, or turn, time, spin-out or end on or off.",
        "The settings are name, colour, hints, ghost, replays, bell, nearby, words, news.",
    ):
        assert told in terminal.text, told
    assert kept.bell_at == ("time", "spin-out", "end")
    assert menus(terminal) == 2


async def test_settings_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where the folder should be")
    terminal = Terminal(by_script("s", "colour blue"))
    with pytest.raises(Left):
        await Home(terminal.line_terminal, folders_in(tmp_path), None).run()
    assert "The settings cannot be saved, so nothing has changed." in terminal.text


async def test_a_first_race_explains_itself_until_hints_are_off(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(name="Ana"))
    race = ["n", "", "", "", "", ""]
    terminal, _ = await at_home(tmp_path, *race, "?", "hints off", "leave", "yes", *race)
    assert terminal.text.count("Gear: Be furthest ahead after the last lap.") == 1
    assert "hints off ends the explanations." in terminal.text
    assert "Hints are off" in terminal.text
    assert not load_settings(folders_in(tmp_path)).hints


async def test_who_learns_and_leaves_has_hints_in_the_next_race(tmp_path: Path) -> None:
    terminal, is_quit = await at_home(tmp_path, "l", "leave", "yes", "quit")
    assert is_quit
    assert "Gear: " in terminal.text
    assert load_settings(folders_in(tmp_path)).hints, "as on the screen"


async def test_the_end_of_a_first_race_ends_the_hints(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(name="Ana"))
    chosen = iter(["l", "quit"])
    terminal, is_quit = await at_home(
        tmp_path, answer=lambda prompt: next(chosen) if prompt.startswith(MENU) else example_in(prompt)
    )
    assert is_quit
    assert "\nThe end: " in terminal.text
    assert not load_settings(folders_in(tmp_path)).hints


# --- servers -----------------------------------------------------------------------------------------------


def saved(path: Path, *codes: str) -> None:
    for code in codes:
        file = create_session_file(folders_in(path))
        file.save(SavedSession("127.0.0.1:1", "secret", code, "Ana"))
        file.close()


def taken_by_another_window(folders: Folders, session: SavedSession) -> SessionFile:
    file = take_session(folders, session)
    assert file is not None
    return file


async def test_rooms_to_go_back_to_are_told_tried_and_forgotten(tmp_path: Path) -> None:
    saved(tmp_path, "KXFRM", "B2Q7T")
    folders = folders_in(tmp_path)
    codes = [session.code for session in saved_sessions(folders)]
    terminal, _ = await at_home(
        tmp_path, "", "forget", "forget b2", "no", "forget b2", "yes", "b2", "?", "j", "1", "leave", "quit"
    )
    assert f"b: Rejoin, room {codes[0]} at 127.0.0.1:1 as Ana." in terminal.text
    assert f"b2: Rejoin, room {codes[1]} at 127.0.0.1:1 as Ana." in terminal.text
    assert "secret" not in terminal.text
    assert terminal.text.count("Nothing listens at 127.0.0.1:1") == 2
    assert "Type forget and b or b2." in terminal.text
    assert terminal.text.count(f"Forget the seat of Ana in room {codes[1]}?") == 2
    assert "The menu has no 'b2'." in terminal.text
    assert f"1: back to room {codes[0]} at 127.0.0.1:1 as Ana; Enter takes it." in terminal.text
    assert [session.code for session in saved_sessions(folders)] == codes[:1]


async def test_what_the_menu_told_is_forgotten_though_another_window_goes_back_meanwhile(
    tmp_path: Path,
) -> None:
    saved(tmp_path, "KXFRM", "B2Q7T", "M9C4H")
    folders = folders_in(tmp_path)
    first, second, third = saved_sessions(folders)
    typed = iter(["forget b3", "yes", "forget b", "yes", "?"])
    taken: list[SessionFile] = []

    def answer(prompt: str) -> str | None:
        if not taken:
            taken.append(taken_by_another_window(folders, first))
        return next(typed, None)

    terminal, _ = await at_home(tmp_path, answer=answer)
    (window,) = taken
    window.close()
    assert f"Forget the seat of Ana in room {second.code}?" in terminal.text
    assert terminal.text.count("Forgotten.") == 2
    assert f"Forget the seat of Ana in room {third.code}?" in terminal.text, "the menu is another one then"
    assert saved_sessions(folders) == [first]


async def test_a_seat_that_another_window_has_is_not_forgotten(tmp_path: Path) -> None:
    saved(tmp_path, "KXFRM")
    folders = folders_in(tmp_path)
    typed = iter(["forget b", "yes", "?"])
    taken: list[SessionFile] = []

    def answer(prompt: str) -> str | None:
        if prompt.startswith("Forget the seat"):
            taken.append(taken_by_another_window(folders, saved_sessions(folders)[0]))
        return next(typed, None)

    terminal, _ = await at_home(tmp_path, answer=answer)
    (window,) = taken
    window.close()
    assert "That seat is in use in another window." in terminal.text
    assert "Forgotten." not in terminal.text
    assert [session.code for session in saved_sessions(folders)] == ["KXFRM"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "Type an address: HOST or HOST:PORT."),
        ("1", "There is no list yet.\nType an address."),
        ("foo bar", "'foo bar' is not an address"),
        ("host:99999", "from 1 to 65535."),
        ("127.0.0.1:1", "Nothing listens at 127.0.0.1:1"),
        ("?", "An address is a name or a number, with a port"),
    ],
)
async def test_an_address_that_leads_nowhere_is_one_sentence(tmp_path: Path, typed: str, told: str) -> None:
    terminal, _ = await at_home(tmp_path, "j", typed)
    assert told in terminal.text
    assert terminal.prompts[1] == terminal.prompts[2]


async def test_the_server_of_the_last_time_is_taken_by_enter(tmp_path: Path) -> None:
    save_settings(folders_in(tmp_path), Settings(name="Ana", server="127.0.0.1:1"))
    terminal, _ = await at_home(tmp_path, "j", "")
    assert terminal.prompts[1].startswith("Enter takes 127.0.0.1:1. Type a server's address")
    assert "Nothing listens at 127.0.0.1:1" in terminal.text


async def test_servers_nearby_are_told_as_they_answer(tmp_path: Path) -> None:
    hear: list[Callable[[Sequence[NearbyServer]], None]] = []

    async def watch(on_change: Callable[[Sequence[NearbyServer]], None]) -> None:
        hear.append(on_change)
        await asyncio.get_running_loop().create_future()

    kitchen = NearbyServer("kitchen", Address("127.0.0.1", 1), 2, "0.1.0", is_speaking_ours=True)
    cellar = NearbyServer("cellar", Address("127.0.0.1", 2), None, "0.0.1", is_speaking_ours=False)
    terminal = Terminal(lambda prompt: SILENCE)
    joined = asyncio.create_task(join_somewhere(terminal.line_terminal, folders_in(tmp_path), watch))
    await until(lambda: bool(hear))
    hear[0]([kitchen])
    await until(lambda: "1: kitchen, nearby at 127.0.0.1:1, 2 rooms" in terminal.text)
    hear[0]([cellar, kitchen._replace(rooms=3)])
    await until(lambda: "2: cellar, nearby at 127.0.0.1:2, version 0.0.1, which does" in terminal.text)
    assert terminal.text.count("kitchen") == 1, "told once, under a number that stays its own"
    assert "2 rooms; Enter takes it." in terminal.text
    assert len(terminal.prompts) == 1, "news does not ask again"
    terminal.line_terminal.hear("2")
    await until(lambda: "cellar has version 0.0.1, which does not fit this one." in terminal.text)
    terminal.line_terminal.hear("")
    await until(lambda: "Nothing listens at 127.0.0.1:1" in terminal.text)
    terminal.line_terminal.hear("leave")
    await joined
