"""How what engine and server do grows with cars, laps, rooms, people and the events so far: `make growth`."""
