"""The rules of Heat: Pedal to the Metal as a pure engine: no clock, no I/O, no screen, no sockets (CORE-10).

- A race: `race` has its set-up, state, commands and events; `track`, `cards` and `data` have the facts,
  `race.presets` and `options` what a table may choose.
- Playing: `engine` takes a command; `decisions` say whether it is allowed, `rules` what happens then. `table`
  is a race with its drivers, `season` a championship. `bots` and `view` (forecasts, defaults) know no more
  than a seat may see.
- Around it: `sentences` say it in English, `record` saves and verifies races, `positions` begin them in the
  middle, `track_files` read circuits, `simulation` counts, `wire` is the protocol, `cli` has the commands.
  `rl` has races for programs that learn; nothing else needs it or what it needs.
- `make fast` compiles the modules that races spend their time in; `compiled` refuses to run another source.
"""

from heat_core.compiled import require_same_source

require_same_source()
