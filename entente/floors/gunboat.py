"""The floor without press: a phase consists of its orders."""

from entente.floors.rounds import RoundsFloor


class GunboatFloor(RoundsFloor):
    """No rounds of press at all."""

    has_rounds = False
