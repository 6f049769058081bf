"""The crew: narrator, keeper and jester, who answer a person's action and tell of a finished phase."""
