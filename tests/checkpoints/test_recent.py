"""What is kept at hand, and how much of it."""

from checkpoints.recent import Recent


def test_the_latest_are_kept_and_no_more() -> None:
    kept: Recent[int, str] = Recent(3)
    for number in range(5):
        kept[number] = str(number)
        assert list(kept) == list(range(max(0, number - 2), number + 1))
    assert kept == {2: "2", 3: "3", 4: "4"}


def test_what_is_put_in_again_drives_out_nothing() -> None:
    kept: Recent[int, str] = Recent(2)
    for number in (0, 1, 1, 0):
        kept[number] = str(number)
    assert list(kept) == [0, 1]
