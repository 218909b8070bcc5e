"""The protocol between client and server: typed messages, and bytes to messages and back. No I/O."""
