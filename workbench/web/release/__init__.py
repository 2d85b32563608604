"""The pages from which organisers and teams take results away."""
