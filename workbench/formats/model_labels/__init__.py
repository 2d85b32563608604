"""Files of labels that models gave, in the forms of several programs; the form is said, never guessed."""
