"""The engine as a library: set up a race, run it by the rules of the board game, read its results.

These names are for everybody and change only with a line in CHANGELOG.md; all else in `heat_core` is private
by convention. docs/library.md shows them at work.
"""

from heat_core.bots import BOTS
from heat_core.decisions import (
    CardsChoice,
    Choice,
    DiscardChoice,
    GearChoice,
    PickChoice,
    ReactChoice,
    SlipstreamChoice,
    SwapChoice,
    UnpaidChoice,
    ValueChoice,
    enumerate_commands,
    sample_command,
)
from heat_core.files import load_track, new_seed, track_names
from heat_core.game_files import read_record, write_record
from heat_core.options.settings import make_rules
from heat_core.race.commands import (
    ChooseValue,
    Command,
    Discard,
    DropUnpaid,
    EndReact,
    GiveUp,
    PickUpgrade,
    PlayCards,
    ShiftGear,
    Slipstream,
    SwapUpgrade,
    UseSymbol,
)
from heat_core.race.events import Event
from heat_core.race.presets import PRESETS, Rules
from heat_core.race.setup import BadSetup, CarSetup, LegendSetup, Modules, RaceSetup, make_setup
from heat_core.record.figures import RaceFigures, race_figures
from heat_core.record.record import BadRecord, Record, follow_record, verify_record
from heat_core.refusal import Refused
from heat_core.rng import Stream
from heat_core.rollouts.dealing import NoRollOut
from heat_core.rollouts.play import RollOuts
from heat_core.sentences.events import sentence
from heat_core.simulation import BadDrivers, Figures, Policy, play_out, simulate
from heat_core.table import Table
from heat_core.track_facts import TrackFacts
from heat_core.track_files.file import BadTrack
from heat_core.view.forecast import forecast_cards, forecast_gear, forecast_slipstream, forecast_symbol
from heat_core.view.observation import Observation
from heat_core.view.outcomes import Forecast, Outcome
from heat_core.view.race_view import RaceView

__all__ = [
    "BOTS",
    "PRESETS",
    "BadDrivers",
    "BadRecord",
    "BadSetup",
    "BadTrack",
    "CarSetup",
    "CardsChoice",
    "Choice",
    "ChooseValue",
    "Command",
    "Discard",
    "DiscardChoice",
    "DropUnpaid",
    "EndReact",
    "Event",
    "Figures",
    "Forecast",
    "GearChoice",
    "GiveUp",
    "LegendSetup",
    "Modules",
    "NoRollOut",
    "Observation",
    "Outcome",
    "PickChoice",
    "PickUpgrade",
    "PlayCards",
    "Policy",
    "RaceFigures",
    "RaceSetup",
    "RaceView",
    "ReactChoice",
    "Record",
    "Refused",
    "RollOuts",
    "Rules",
    "ShiftGear",
    "Slipstream",
    "SlipstreamChoice",
    "Stream",
    "SwapChoice",
    "SwapUpgrade",
    "Table",
    "TrackFacts",
    "UnpaidChoice",
    "UseSymbol",
    "ValueChoice",
    "enumerate_commands",
    "follow_record",
    "forecast_cards",
    "forecast_gear",
    "forecast_slipstream",
    "forecast_symbol",
    "load_track",
    "make_rules",
    "make_setup",
    "new_seed",
    "play_out",
    "race_figures",
    "read_record",
    "sample_command",
    "sentence",
    "simulate",
    "track_names",
    "verify_record",
    "write_record",
]
