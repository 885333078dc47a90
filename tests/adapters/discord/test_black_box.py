"""The real command against a local Discord, as `make discord-demo` shows it."""

from tests.demo.discord_demo import demo


async def test_from_sync_to_a_click_after_a_restart(tmp_path):
    said = []
    await demo(tmp_path, said.append)
    shown = "\n".join(said)
    order = [
        "+ /vram",
        "nothing to change",
        "ann: /vram question:13b lora context:4k    [the channel sees it]",
        "Needs 35\u00a0GB",
        "Logged #1",
        "| 70B",
        "bob clicks Arithmetic    [only they see it]",
        "13 × 10⁹ × 2 B",
        "Which one is meant?",
        "bob clicks QLoRA    [the channel sees it]",
        "Did you mean lora?",
        "ended with 0",
        "Note one A40 will do",
        "#1 2",
        "ended with 0",
    ]
    place = 0
    for words in order:
        assert words in shown[place:], words
        place = shown.index(words, place) + len(words)
    log = (tmp_path / "serve.log").read_text(encoding="utf-8")
    assert log.count("discord: interaction=") == 7
    assert "Traceback" not in log
    for secret in ("fake.discord.token", "/interactions/", "13b lora"):
        assert secret not in log
