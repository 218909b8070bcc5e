"""Doors: friends play in a terminal of their own on this machine, without installing anything.

Theory of operation. Three processes share the work:

- The *door* (`ssh`) speaks to the friends' programs and decides who comes in (`entrance`). The house behind
  it (`house`) knows who is inside and has the guests' folders; each login has a pseudo-terminal
  (`running_client`), and bytes are passed between the two (`login`).
- The *fork server* (`fork_server`) is one small process that has loaded the client, has drawn its first
  screen once for nobody (`rehearsal`), and then does nothing but wait. It waits without event loop and
  threads, so that it may fork. It knows no password and no key. If it ends, the house starts another one.
- Each login is a fork of it (`guest`): the client, with the other end of the pseudo-terminal as its own
  terminal, in the guest form: one server, a folder of its own, nothing else.

Only the door holds the outer ends of the pseudo-terminals. So however the door ends, the system hangs up each
login, and the fork server, whose line to the door is closed, kills what is left.
"""
