import pytest

from entente.models.mock.prefixes import PrefixCache, tokens

STEP = 512
"""Letters in a step of 128 tokens."""


@pytest.mark.parametrize(
    ("shared_letters", "cached"),
    [
        (0, 0),
        (7 * STEP, 0),
        (8 * STEP - 1, 0),
        (8 * STEP, 1024),
        (9 * STEP - 1, 1024),
        (9 * STEP, 1152),
        (99 * STEP, 99 * 128),
    ],
)
def test_a_shared_prefix_counts_in_whole_steps_from_1024_tokens_on(shared_letters: int, cached: int) -> None:
    cache = PrefixCache()
    cache.add("m", "a" * shared_letters + "b" * STEP * 3)
    assert cache.add("m", "a" * shared_letters + "c" * STEP * 3) == cached


def test_the_longest_of_all_earlier_prompts_counts() -> None:
    cache = PrefixCache()
    rules = "".join(chr(97 + n % 26) * STEP for n in range(12))
    cache.add("m", f"{rules}{'x' * STEP * 2}")
    cache.add("m", "y" * STEP * 20)
    assert cache.add("m", f"{rules}{'x' * STEP}{'z' * STEP}") == 13 * 128


def test_what_is_equal_behind_a_difference_is_not_shared() -> None:
    cache = PrefixCache()
    cache.add("m", "1" + "a" * STEP * 20)
    assert cache.add("m", "2" + "a" * STEP * 20) == 0


def test_models_share_nothing() -> None:
    cache = PrefixCache()
    cache.add("one", "a" * STEP * 20)
    assert cache.add("two", "a" * STEP * 20) == 0


def test_a_token_is_four_letters_begun() -> None:
    assert [tokens(letters) for letters in (0, 1, 4, 5)] == [0, 1, 1, 2]
