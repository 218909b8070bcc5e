"""The numbers of the planner that are found by trying: how far luck moves a car, what upgrades are worth.

`make fits` prints them as they stand in `heat_core.planner.winning` and `heat_core.planner.board_worths`.
"""
