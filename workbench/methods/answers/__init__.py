"""How good answers are, by the nuggets that they hold."""
