"""The door for browsers: a page with a terminal in it, and a login behind each page that is open.

Theory of operation. The page is the same for everybody and no secret (`site`). What opens the door is the
secret in its address, behind the `#`, which no browser sends and no log has. The page's own program says it
over the websocket, with a number that the browser keeps, by which its guest is known again (`door`). From
then on bytes pass between the websocket and the pseudo-terminal of a login, which is begun, bounded and ended
as at every other door (`heat_tui.doors`).

A connection is lost more easily than at other doors: a telephone that goes dark is enough. So a login
outlives its websocket for a while, and the page says how much of the picture it has (`login`, `picture`).

Without guests the same page shows its owner the whole client (`own`).
"""
