"""What users do: interleaved lists and their outcomes, metrics of clicks, ratios with intervals and tests."""
