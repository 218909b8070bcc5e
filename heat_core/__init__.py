"""The rules of Heat: Pedal to the Metal as a pure engine: no clock, no I/O, no screen, no sockets (CORE-10).

- A race: `setup`, `track`, `presets`, `settings`, `cards`, `data`; its state `race`, changed by `apply`.
- Playing: `engine` takes `commands`, asks `choices`, decides by `rules` and tells `events`; `table` is a race
  with its drivers, `season` a championship; `bots`, `defaults` and `forecast` see no more than `view` shows.
- Around it: `sentences` and `card_words` say it in English, `replay` keeps and verifies records, `invariants`
  always hold, `position_file` reads positions, `figures` and `simulation` count, `wire` is the protocol.
"""
