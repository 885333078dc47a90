"""Tokens of workspaces are sealed: only the deployment's own secret opens them."""

from adapters.slack.sealed import Seal


def test_what_was_sealed_opens_again_and_shows_nothing():
    seal = Seal("a secret")
    closed = seal.close("xoxb-1-token")
    assert "xoxb" not in closed
    assert seal.open(closed) == "xoxb-1-token"


def test_two_seals_of_one_text_differ():
    seal = Seal("a secret")
    assert seal.close("xoxb-1-token") != seal.close("xoxb-1-token")


def test_another_secret_and_a_changed_text_open_nothing():
    closed = Seal("a secret").close("xoxb-1-token")
    assert Seal("another").open(closed) is None
    assert Seal("a secret").open(closed[:-6] + "AAAAA=") is None
    assert Seal("a secret").open("xoxb-1-token") is None


def test_a_sealed_token_fits_the_column():
    """The SDK's column holds 200 characters; a bot token has some 60."""
    assert len(Seal("a secret").close("xoxb-" + "1" * 75)) <= 200
