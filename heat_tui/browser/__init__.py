"""The client in a browser: a small web server, by textual-serve, that starts one program for each tab.

A tab's page holds a terminal (xterm.js). What is typed there travels over a websocket to the web server and
on to the standard input of the tab's program; what that draws travels back. The program is the same
`heat-tui` as everywhere, with another driver. So everything happens on the machine of the web server, as the
user who started it.
"""
