"""How much assessors agree, and what their disagreement does to the result."""
