"""Labels of models: how good a judge is, measured against people."""
