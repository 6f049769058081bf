"""The board: our own types over the `diplomacy` engine, and the reader of orders."""
