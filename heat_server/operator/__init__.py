"""What the operator of a running server can ask and do, through a local socket."""
