"""The rules, one concern a file, with the heading of docs/rules.md that it implements.

- `start`, `preparing`, `draft`: set-up and positions; weather, piles and hands; the garage.
- `phases`: the nine phases of a round, and how one leads to the next; `turn`: phases 3 to 7 of one car.
- `order`: turn order, adrenaline, standings; `shifting`: gears; `piles`: flipping, drawing, reshuffling.
- `uses`, `effects`: when each symbol may be used, and what it does; unpaid Heat; direct play.
- `movement`, `corners`: where moves and slipstreams end; limits, bills and spin-outs.
- `sectors`, `sponsors`, `legends`, `points`: weather and road tokens, Sponsorships, Legends, championships.

- `invariants`: what is true of every race after every event.

Most rules ask, and `recorder` writes down what is decided; `heat_core.race.apply` says how that changes the
race. What a seat may answer is in `heat_core.decisions`, what differs from table to table in
`heat_core.race.presets`; cards, tokens and event cards are in `heat_core.data`.
"""
