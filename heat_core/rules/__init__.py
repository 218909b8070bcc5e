"""The rules, one concern a file, with the heading of docs/rules.md that it plays.

- `start`, `preparing`, `draft`: set-up and positions; weather, piles and hands; the garage.
- `phases`: the nine phases of a round, and how one leads to the next; `turn`: phases 3 to 7 of one car.
- `order`: turn order, adrenaline, standings; `shifting`: gears; `piles`: flipping, drawing, reshuffling.
- `uses`, `effects`: when each symbol may be used, and what it does; unpaid Heat; direct play.
- `movement`, `corners`: where moves and slipstreams end; limits, bills and spin-outs.
- `sectors`, `sponsors`, `legends`, `points`: weather and road tokens, Sponsorships, Legends, championships.

Most rules ask, and `recorder` writes what is decided; how that changes the race stands in `apply`. Which
answers a seat has stands in `choices`, what differs from table to table in `presets`; cards, tokens and event
cards are `data`.
"""
