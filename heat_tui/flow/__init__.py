"""Controllers: what happens at one terminal, whether screens or plain mode show it."""
