"""Players that cost nothing: fixed rules, seeded randomness, and plain English where they talk.

They know no graph and no model. Each holds nothing between turns and gives the same actions
for the same bundle, so they serve as opponents, as yardsticks and as instruments of measurement.
"""
