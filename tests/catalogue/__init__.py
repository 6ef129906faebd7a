"""The catalogues of Scenarii's own words: what the sources say, what is translated, and bringing both together."""
