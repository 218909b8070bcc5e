"""The rules of Heat: Pedal to the Metal as a pure engine: no clock, no I/O, no screen, no sockets."""
