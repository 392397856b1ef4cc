"""The commands of `loopback`, a module each."""
