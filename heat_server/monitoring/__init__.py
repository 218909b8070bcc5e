"""What programs ask that watch a server: metrics and health, by HTTP at an address of their own."""
