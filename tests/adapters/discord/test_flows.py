"""What people do in a server, through discord.py's own machinery (simcord: no sockets)."""

import logging

import discord
import pytest

from tests.adapters.discord.checks import check_choices, check_message, check_modal
from tests.adapters.discord.making import DecidingLog, bot


class World:
    """A server with two people and a channel that everyone sees, one that does not."""

    def __init__(self, env, log) -> None:
        self.env, self.log = env, log
        self.guild = env.create_guild()
        self.general = self.guild.create_text_channel("general")
        self.ann = self.guild.add_member(env.create_user("ann"))
        self.bob = self.guild.add_member(env.create_user("bob"))

    async def ask(self, who=None, channel=None, **options):
        return shown(await (who or self.ann).slash(channel or self.general, "vram", **options))


def shown(result):
    """The result, its message checked."""
    assert result.acknowledged
    for message in filter(None, (result.response, *result.followups)):
        check_message({"embeds": [embed.to_dict() for embed in message.embeds], "components": message.components})
    return result


def managers(world):
    return world.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))


def text(message) -> str:
    embed = message.embeds[0]
    return f"{embed.title}\n{embed.description}"


def labels(message) -> list[str]:
    return [button["label"] for row in message.components for button in row["components"]]


@pytest.fixture
def log():
    return DecidingLog()


@pytest.fixture
def team():
    return None


@pytest.fixture
def simcord_bot(log, team):
    return bot(log, team=team)


@pytest.fixture
async def world(simcord_env, log):
    await simcord_env.bot.tree.sync()
    return World(simcord_env, log)


async def test_an_answer_is_one_embed_that_the_channel_sees(world):
    result = await world.ask(question="13b lora ctx=4k")
    assert not result.ephemeral
    assert not result.followups
    assert result.response.embeds[0].title == "13B · LoRA · 4,096\u00a0tokens · batch\u00a01"
    said = text(result.response)
    assert "**Needs 35\u00a0GB**" in said
    assert "A40\u00a048\u00a0GB, $240 a month ($0.33 an hour)" in said
    assert "-# Logged #1" in said
    assert labels(result.response) == ["Arithmetic", "Pin as decision"]


async def test_every_option_is_stronger_than_the_text(world):
    await world.ask(
        question="13b lora ctx=4k batch=8 on 2x3090 kv=fp8 under 500/mo private",
        model="70b",
        workload="infer",
        format="int4",
        context="8k",
        batch=2,
        gpus="2xa40",
        kv="q8_0",
        budget="900/mo",
        private=False,
    )
    row = world.log.rows[0]
    assert row.kind == "answer"
    assert row.text == "on 70b infer int4 ctx=8k batch=2 2xa40 kv=q8_0 budget=900/mo"
    assert row.visibility == "public"


async def test_options_alone_are_a_question(world):
    result = await world.ask(model="llama-3.1-8b", gpus="rtx-4090")
    assert "RTX\u00a04090" in text(result.response)


@pytest.mark.parametrize(
    ("question", "kind"),
    [("13b lora private", "answer"), ("lroa", "refusal"), ("13b finetune", "choice"), ("help", None), ("", "refusal")],
)
async def test_private_questions_refusals_choices_and_help_are_for_the_asker(world, question, kind):
    result = await world.ask(question=question) if question else await world.ask()
    assert result.ephemeral
    assert [row.kind for row in world.log.rows] == ([kind] if kind else [])


async def test_the_wall_is_the_server(world):
    await world.ask(question="13b lora ctx=4k")
    other = world.env.create_guild("Other")
    channel = other.create_text_channel("general")
    eve = other.add_member(world.env.create_user("eve"))
    listed = shown(await eve.slash(channel, "vram-log"))
    assert "No questions" in text(listed.response)
    shown_one = shown(await eve.slash(channel, "vram-show", number=1))
    assert "13B" not in text(shown_one.response)
    assert {row.team for row in world.log.rows} == {str(world.guild.id)}


async def test_who_manages_the_server_administers_its_team(world):
    viewers = []
    for who in (world.ann, world.guild.add_member(world.env.create_user("eve"), roles=[managers(world)])):
        await who.slash(world.general, "vram-forget", number=1)
        viewers.append(world.log.viewers[-1].is_admin)
    assert viewers == [False, True]


@pytest.mark.parametrize("team", ["ours"])
async def test_nobody_administers_the_joined_team_by_a_server(world):
    eve = world.guild.add_member(world.env.create_user("eve"), roles=[managers(world)])
    await eve.slash(world.general, "vram-forget", number=1)
    assert not world.log.viewers[-1].is_admin


@pytest.mark.parametrize("team", ["ours"])
async def test_one_team_for_all_servers_where_it_is_named(world):
    await world.ask(question="13b lora ctx=4k")
    assert world.log.rows[0].team == "ours"


async def test_a_question_in_a_direct_message_is_the_askers_alone(world):
    user = world.env.create_user("dora")
    result = shown(await user.slash("vram", question="7b qlora"))
    row = world.log.rows[0]
    assert (row.visibility, row.channel, row.user) == ("direct", None, str(user.id))
    assert row.team not in {str(world.guild.id), ""}
    assert "Logged #1" in text(result.response)
    clicked = shown(await user.click(result.response, label="Arithmetic"))
    assert "Arithmetic" in text(clicked.response)


async def test_a_channel_that_not_everyone_sees_is_private(world):
    hidden = world.guild.create_text_channel(
        "hidden",
        overwrites={
            world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            world.ann: discord.PermissionOverwrite(view_channel=True),
        },
    )
    await world.ask(channel=hidden, question="13b lora ctx=4k")
    await world.ask(question="7b qlora")
    assert [row.visibility for row in world.log.rows] == ["private-channel", "public"]
    elsewhere = shown(await world.ann.slash(world.general, "vram-log"))
    assert "#1" not in text(elsewhere.response)
    there = shown(await world.ann.slash(hidden, "vram-log"))
    assert "#1" in text(there.response)


async def test_a_thread_is_as_public_as_its_channel(world):
    for channel, private in ((world.general, False), (world.general, True)):
        kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
        real = world.env.bot.get_channel(channel.id)
        thread = await real.create_thread(name="x", type=kind)
        await thread.add_user(world.ann.member or discord.Object(world.ann.id))
    threads = {thread.name: thread for thread in world.general.threads}
    assert threads
    for thread in world.general.threads:
        await world.ask(channel=thread, question="13b lora")
    assert sorted(row.visibility for row in world.log.rows) == ["private-channel", "public"]


async def test_a_private_answer_is_shared_once(world):
    asked = await world.ask(question="13b lora ctx=4k private")
    assert labels(asked.response)[0] == "Share"
    shared = shown(await world.ann.click(asked.response, label="Share"))
    assert not shared.followups[0].ephemeral
    assert "Shared by ann" in text(shared.followups[0])
    again = shown(await world.ann.click(asked.response, label="Share"))
    assert again.followups[0].ephemeral


async def test_the_arithmetic_is_shown_to_the_one_who_clicks(world):
    asked = await world.ask(question="13b lora ctx=4k")
    clicked = shown(await world.bob.click(asked.response, label="Arithmetic"))
    assert clicked.ephemeral
    assert "13 × 10⁹ × 2 B" in text(clicked.response)


async def test_pin_asks_for_a_note_and_keeps_it(world):
    asked = await world.ask(question="13b lora ctx=4k")
    opened = await world.bob.click(asked.response, label="Pin as decision")
    check_modal(opened.modal)
    done = shown(await world.bob.submit_modal(opened, {"note": "we rent **one** A40"}))
    assert "we rent \\*\\*one\\*\\* A40" in text(done.response)
    decision = world.log.rows[0].decision
    assert (decision.note, decision.by_name) == ("we rent **one** A40", "bob")


async def test_a_choice_is_picked_with_a_button(world):
    asked = await world.ask(question="13b finetune")
    assert labels(asked.response) == ["LoRA", "QLoRA", "full tuning"]
    picked = shown(await world.ann.click(asked.response, label="QLoRA"))
    assert not picked.ephemeral
    assert "13B · QLoRA" in text(picked.response)


async def test_a_what_if_is_a_new_question(world):
    asked = await world.ask(question="70b fp8 ctx=32k on 2xa40")
    what_ifs = [label for label in labels(asked.response) if label.startswith("What if")]
    clicked = shown(await world.bob.click(asked.response, label=what_ifs[0]))
    assert len(world.log.rows) == 2
    assert world.log.rows[1].user == str(world.bob.id)
    assert "Logged #2" in text(clicked.response)


async def test_the_log_is_paged_in_its_place(world):
    for size in range(1, 8):
        await world.ask(question=f"{size}b lora")
    first = shown(await world.ann.slash(world.general, "vram-log"))
    assert first.ephemeral
    assert "#7" in text(first.response)
    assert "Older" in labels(first.response)
    await world.ann.click(first.response, label="Older")
    turned = first.response
    assert "**#2**" in text(turned)
    assert "**#7**" not in text(turned)


async def test_a_row_of_the_log_is_shown_with_a_button(world):
    await world.ask(question="13b lora ctx=4k")
    listed = shown(await world.bob.slash(world.general, "vram-log"))
    one = shown(await world.bob.click(listed.response, label="Show #1"))
    assert one.ephemeral
    assert "13B · LoRA" in text(one.response)


async def test_buttons_work_after_a_restart(world):
    asked = await world.ask(question="13b lora ctx=4k")
    opened = await world.ann.click(asked.response, label="Pin as decision")
    await world.env.restart_bot(bot(world.log))
    clicked = shown(await world.ann.click(asked.response, label="Arithmetic"))
    assert "13 × 10⁹ × 2 B" in text(clicked.response)
    done = shown(await world.ann.submit_modal(opened, {"note": "after the restart"}))
    assert "after the restart" in text(done.response)


async def test_a_forged_or_foreign_button_reads_like_one_that_never_was(world):
    asked = await world.ask(question="13b lora ctx=4k")
    other = bot(world.log)
    object.__setattr__(other.listeners, "tokens", type(other.listeners.tokens)("another secret"))
    await world.env.restart_bot(other)
    clicked = shown(await world.ann.click(asked.response, label="Arithmetic"))
    assert clicked.ephemeral
    assert "10⁹" not in text(clicked.response)


async def test_a_slow_database_is_promised_for(world):
    world.log.seconds = 30.0
    listed = await world.ann.slash(world.general, "vram-log")
    await world.env.advance_time(1)
    assert listed.deferred
    await world.env.advance_time(31)
    shown(listed)
    assert listed.ephemeral
    assert "questions" in text(listed.response)
    assert not listed.followups


async def test_a_slow_database_costs_the_number_not_the_answer(world):
    world.log.seconds = 30.0
    asked = await world.ann.slash(world.general, "vram", question="13b lora ctx=4k")
    await world.env.advance_time(1)
    shown(asked)
    assert not asked.deferred
    assert "Logged" not in text(asked.response)
    await world.env.advance_time(31)
    assert [row.text for row in world.log.rows] == ["13b lora ctx=4k"]


async def test_a_click_on_a_slow_database_follows_without_a_second_message(world):
    asked = await world.ask(question="13b lora ctx=4k private")
    world.log.seconds = 30.0
    shared = await world.ann.click(asked.response, label="Share")
    await world.env.advance_time(62)
    shown(shared)
    assert len(shared.followups) == 1
    assert not shared.followups[0].ephemeral


async def test_without_a_database_the_answer_comes_and_says_so(world):
    world.log.away = "the database is away"
    asked = await world.ask(question="13b lora ctx=4k")
    assert "**Needs 35\u00a0GB**" in text(asked.response)
    assert "the database is away" in text(asked.response)
    listed = shown(await world.ann.slash(world.general, "vram-log"))
    assert listed.ephemeral
    assert "the database is away" in text(listed.response)


@pytest.mark.parametrize("code", [10062, 40060, 50027])
async def test_an_expired_or_taken_interaction_is_one_line_in_the_log(world, caplog, code):
    caplog.set_level(logging.INFO)
    world.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=code)
    result = await world.ann.slash(world.general, "vram", question="13b lora ctx=4k")
    assert not result.acknowledged
    lines = [record for record in caplog.records if "interaction=" in record.getMessage()]
    assert len(lines) == 1
    assert str(code) in lines[0].getMessage()
    assert lines[0].exc_info is None
    assert [row.text for row in world.log.rows] == ["13b lora ctx=4k"]


async def test_a_late_completion_is_swallowed(world, caplog):
    world.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    assert await world.ann.autocomplete(world.general, "vram", "model", "70") == []
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_completing(world):
    models = await world.ann.autocomplete(world.general, "vram", "model", "70")
    check_choices(models)
    assert [choice["value"] for choice in models[:3]] == ["70b", "llama-3.3-70b", "llama-3.1-70b"]
    gpus = await world.ann.autocomplete(world.general, "vram", "gpus", "2x3090", question="13b")
    assert gpus[0]["value"] == "2xrtx-3090"
    formats = await world.ann.autocomplete(world.general, "vram", "format", "q4")
    assert formats[0]["value"] == "q4_k_m"


@pytest.mark.parametrize(
    "hostile",
    [
        "@everyone ctx=4k",
        "<@1> <@&2> <#3>",
        "```8b``` *70b* __x__ ~~y~~ ||z||",
        "[13b](https://evil.example) https://discord.gg/abc discord.gg/abc",
        "\u202e13b\u2066 70b",
        "# big\n> quote\n- list\n-# small",
        "<t:1:R> <:x:1> </vram:1>",
        "x" * 5000,
        "😀" * 400,
    ],
)
async def test_hostile_text_comes_back_harmless(world, hostile):
    asked = await world.ask(question=hostile)
    assert asked.response.embeds
    listed = shown(await world.ann.slash(world.general, "vram-log"))
    assert listed.response.embeds


async def test_a_bug_is_a_sentence_with_a_reference(world):
    world.log.rows = None
    result = shown(await world.ann.slash(world.general, "vram-log"))
    assert result.ephemeral
    assert "REFERENCE" in text(result.response)


async def test_mentions_are_off_in_every_call(world):
    await world.ask(question="13b lora ctx=4k")
    bodies = [call["json"]["data"] for call in _calls(world.env) if "data" in (call["json"] or {})]
    assert bodies
    assert all(body["allowed_mentions"] == {"parse": []} for body in bodies)


def _calls(env):
    return [{"path": call.path, "json": call.json} for call in env.http_requests if "callback" in call.path]
