"""Tables for people and bots, independent of a server: the infrastructure is behind protocols."""
