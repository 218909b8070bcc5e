"""What a choice is worth: the expected turns to the finish, from what a driver sees.

`value_table` solves a race for one car alone, once for each race and deck. `weighing` weighs the choices of
an open decision by it; the bots in `heat_core.bots`, advice and analysis all ask it. docs/opponents.md
explains the whole.
"""
