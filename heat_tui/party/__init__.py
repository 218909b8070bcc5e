"""A party: a server and every way in, opened by one command and ended together.

Theory of operation. Three processes share the work, so that none can hold up another:

- The *card* (`heat-tui party`) shows the ways in and who is there. It starts the two others (`party`), asks
  the server every second who is connected, and restarts what has died. It races only if its owner plays.
- The *server* is `heat-server`, which has all races.
- The *doors* (`doors_process`) let guests in by ssh and in browsers. What they tell the card and what it asks
  of them are lines of JSON (`messages`).

Both others end with their standard input, a pipe of the card's process: so all end together, however the card
ends. A card that fails is shown again, and no race notices; where it fails for the third time, the ways in
and what happens are printed in lines instead.
"""
