"""Agreement: how far assessors agree, and what is done where they do not.

Here belong coefficients of agreement and the effect of disagreement (`between_assessors/`), adjudication,
norming sessions, profiles of assessors, and the progress of a campaign. It imports the rooms up to
`analysis`. Read first: `between_assessors/coefficients.py`.
"""
