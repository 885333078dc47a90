"""Every limit of Discord's that we come near, in one place, with what cuts to it.

Source: discord-api-docs, resources/message (embed limits), components/reference, interactions/application-commands and
interactions/receiving-and-responding.
"""

from typing import Final

from bot.shortening import shortened

EMBED_TITLE: Final = 256
EMBED_DESCRIPTION: Final = 4096
EMBED_TOTAL: Final = 6000
"""Of all texts of all embeds of a message: a title and a description together never reach it."""

BUTTONS_IN_ROW: Final = 5
ROWS: Final = 5
MOST_BUTTONS: Final = BUTTONS_IN_ROW * ROWS
BUTTON_LABEL: Final = 80
BUTTON_URL: Final = 512

MODAL_TITLE: Final = 45
INPUT_LABEL: Final = 45
INPUT_PLACEHOLDER: Final = 100
INPUT_VALUE: Final = 4000

COMMAND_NAME: Final = 32
COMMAND_DESCRIPTION: Final = 100
OPTION_VALUE: Final = 6000
CHOICES: Final = 25
CHOICE: Final = 100
"""Characters of a choice's name and of its value."""
COMMANDS_A_SCOPE: Final = 100

FIRST_RESPONSE_SECONDS: Final = 3.0
"""After this the interaction's token is dead."""
FOLLOW_UP_SECONDS: Final = 15 * 60.0


def cut(text: str, most: int) -> str:
    """The text within a limit, whichever way Discord counts a character outside the basic plane: as one or as two."""
    return shortened(text, most - sum(character > "\uffff" for character in text[:most]))
