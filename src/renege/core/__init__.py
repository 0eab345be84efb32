"""The rules that all games share: cards, tricks, positions, views, records, verdicts."""
