"""Plain mode: the whole game in lines and prompts, for screen readers, pipes and plain terminals."""
