"""What follows from battles: strengths of runs, the agreement of assessors, and the measures beside them."""
