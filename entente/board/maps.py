"""The maps that can be played on, by name: a list that loads without the engine."""

SAFE_MAPS = (
    "standard",
    "standard_age_of_empires",
    "standard_age_of_empires_2",
    "standard_fleet_rome",
    "standard_france_austria",
    "standard_germany_italy",
    "ancmed",
    "ancmed_age_of_empires",
    "modern",
    "pure",
)
"""Maps that load at once. The engine's others take 10 to 147 s and leave a cache that slows every later start."""
