"""`renege ask`: a JSON question a line, a JSON answer a line."""
