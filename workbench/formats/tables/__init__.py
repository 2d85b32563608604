"""Tables that are written: one kind of sheet, and one module for each form in which it is written."""
