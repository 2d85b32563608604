"""The keys and grade buttons of the judging page: what each key does by default, and what an assessor has changed.

A digit is the grade of that number, always. Every other key belongs to an action and can be changed; the letters
of special grades and the keys of preferences too. The page works by the map that `keys_for` makes, whichever keys the
assessor chose.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from string import ascii_lowercase, digits
from typing import Any, NamedTuple

from workbench.core.battles import OUTCOMES
from workbench.core.errors import WorkbenchError
from workbench.core.records import Grade
from workbench.core.wording import capital
from workbench.core.wording import translatable as _
from workbench.web.requests.languages import gettext, runs_from_right

NAMED_KEYS = frozenset({"Backspace", "Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"})
"""Keys that write nothing and may have an action; Tab, Escape, Space and the page keys stay the browser's."""

OPPOSITE = {"ArrowLeft": "ArrowRight", "ArrowRight": "ArrowLeft"}

CAPITALS = frozenset({"N"})
"""Capital letters that are keys of their own. All others mean the small letter, as with Caps Lock on."""


TONES = 4
"""Steps of colour that the style sheet has for relevant grades."""


class Action(NamedTuple):
    """Something a key does. The first of its `keys` is the one that an assessor can change.

    `group` is the part of the legend that lists it; `fixed` says that its key cannot be changed.
    """

    name: str
    keys: tuple[str, ...]
    label: str
    group: str
    fixed: bool = False


NO_KEY = _("%(key)s cannot be a key: expected an arrow, or one character other than a digit")


class WrongKey(WorkbenchError):
    """A key that no action may have, or that two would have."""


ACTIONS = (
    Action("cannot tell", ("x",), _("Can’t tell; save and go to the next"), _("Judge")),
    Action("same as before", ("s",), _("Same grade as its near duplicate"), _("Judge")),
    Action("later", ("l",), _("Postpone, or undo postponing"), _("Judge")),
    Action("undo", ("u", "Backspace"), _("Undo: return to your last judgment"), _("Judge")),
    Action("clear", (), _("Clear your judgment"), _("Judge")),
    Action("note", ("c",), _("Write a note; Esc leaves the field"), _("Judge")),
    Action("rationale", ("m",), _("Mark the selected text as rationale"), _("Judge")),
    Action("nugget", ("q",), _("Make the selected text a nugget"), _("Judge")),
    Action("second look", (",",), _("Judge again what a model labelled"), _("Judge")),
    Action("stay", ("y",), _("Stay after grading, on or off"), _("Judge")),
    Action("next", ("j", "ArrowRight"), _("Next document, without judging"), _("Move")),
    Action("previous", ("k", "ArrowLeft"), _("Previous document"), _("Move")),
    Action("next hit", ("n",), _("Next marked word"), _("Read")),
    Action("previous hit", ("N",), _("Previous marked word"), _("Read")),
    Action("whole", ("f",), _("Whole document or best passage"), _("Read")),
    Action("folds", (".",), _("Open or close folded parts"), _("Read")),
    Action("find", ("/",), _("Find in the document"), _("Read")),
    Action("larger", ("+",), _("Larger text"), _("Read")),
    Action("smaller", ("-",), _("Smaller text"), _("Read")),
    Action("guidelines", ("g",), _("Guidelines"), _("More")),
    Action("history", ("h",), _("All your judgments"), _("More")),
    Action("keys", ("?",), _("Keys and preferences"), _("More")),
)

PREFERENCE_KEYS = {1: ("ArrowLeft", "1"), 2: ("ArrowRight", "2"), 3: ("t", "3"), 0: ("b", "0")}
"""The keys of the labels of a preference, in the order of its buttons: left, right, tie, both bad."""
_OUTCOME = dict(zip(PREFERENCE_KEYS, OUTCOMES, strict=True))

NOT_OF_PAIRS = frozenset({"same as before", "rationale", "nugget", "whole"})
"""What the judging page does not have where two things are compared."""

NOT_ON_CARDS = frozenset({"same as before", "note", "rationale", "nugget"}).union(
    ("second look", "next hit", "previous hit", "folds", "find")
)
"""What the page of cards does not have; its keys stay what they are on the page of one document."""

NOT_IN_PRACTICE = frozenset({"same as before", "cannot tell", "later", "undo", "clear", "nugget"}).union(
    ("second look", "previous", "keep remarks", "stay")
)
"""What the practice page does not have."""

LABELS_ON_CARDS = {"whole": _("Open the document alone")}

TAKEN_LETTERS = frozenset(key for action in ACTIONS for key in action.keys if key in ascii_lowercase)
"""Small letters that the page itself uses: no grade gets one of them by default."""


def grade_keys(grades: Sequence[Grade]) -> dict[int, str]:
    """The usual key of each grade: its own digit from 0 to 9, else the first letter of its name that is still free.

    A name without a free Latin letter gets the first free letter of the alphabet, and none when all are taken.
    """
    keys = {grade.grade: str(grade.grade) for grade in grades if 0 <= grade.grade <= 9}
    free = [letter for letter in ascii_lowercase if letter not in TAKEN_LETTERS]
    for grade in grades:
        if grade.grade not in keys:
            wanted = [*grade.name.lower(), *ascii_lowercase]
            keys[grade.grade] = next((letter for letter in wanted if letter in free), "")
            free = [letter for letter in free if letter != keys[grade.grade]]
    return keys


def grade_action(grade: int) -> str:
    """The name of the action that gives a grade."""
    return f"grade {grade}"


def preferring(grade: int) -> str:
    """The name of the action that gives a label of a preference."""
    return f"prefer {grade}"


SAVE = Action("save answer", ("Enter",), _("Save the answer and go to the next"), _("Judge"), fixed=True)
"""What Enter does where an answer is no single key, whatever else an assessor gave it."""


def actions_of(grades: Sequence[Grade]) -> list[Action]:
    """Everything a key can do in a campaign with these grades (in the order of their buttons), grades first."""
    usual = grade_keys(grades)
    graded = [
        Action(
            name=grade_action(grade.grade),
            keys=tuple(filter(None, [usual[grade.grade]])),
            label=_graded(grade.name),
            group="Judge",
            fixed=0 <= grade.grade <= 9,
        )
        for grade in grades
    ]
    return [*graded, *ACTIONS]


def _graded(name: str) -> str:
    return gettext("%(grade)s; save and go to the next", grade=name)


def preferences_of(grades: Sequence[Grade]) -> list[Action]:
    """Everything a key can do where a preference is given, its labels first, in the order of their buttons."""
    names = _OUTCOME | {each.grade: each.name for each in grades}
    preferred = [
        Action(preferring(grade), keys, _graded(capital(names[grade])), "Judge")
        for grade, keys in PREFERENCE_KEYS.items()
    ]
    return [*preferred, *ACTIONS]


def keys_for(own: Mapping[str, str], grades: Sequence[Grade]) -> dict[str, str]:
    """The action of each key, by the usual keys and what an assessor has changed (action to key, "" for none).

    A changed key takes the place of an action's first one. Its further keys (Backspace beside u) stay, unless
    they were given to another action. WrongKey names a key that cannot be one, or that two actions would have, here or
    where things are compared.
    """
    actions, preferred = actions_of(grades), preferences_of(())
    _check_own(own, {action.name: action for action in (*preferred, *actions)})
    _map_of(preferred, settled_keys(own))
    return _map_of(actions, own)


def _map_of(actions: Sequence[Action], own: Mapping[str, str]) -> dict[str, str]:
    labels: dict[str, str] = {}
    keys: dict[str, str] = {}
    for action in actions:
        key = own.get(action.name, action.keys[0] if action.keys else "")
        if key in keys:
            raise WrongKey(
                gettext(
                    "the key %(key)s would have two meanings: “%(one)s” and “%(other)s”",
                    key=key,
                    one=labels[key],
                    other=gettext(action.label),
                )
            )
        if key:
            keys[key], labels[key] = action.name, gettext(action.label)
    for action in actions:
        for further in action.keys[1:]:
            keys.setdefault(further, action.name)
    return keys


def settled_keys(own: Mapping[str, str]) -> dict[str, str]:
    """The keys an assessor has changed, with none for a newer action whose usual key is taken."""
    every = preferences_of(())
    return {each.name: "" for each in every if each.keys and each.keys[0] in own.values()} | dict(own)


def legend(
    grades: Sequence[Grade],
    *,
    on_cards: bool = False,
    without: Container[str] = (),
    saved: bool = False,
    of_pairs: bool = False,
) -> list[dict[str, Any]]:
    """The actions as the page's code reads them: name, usual keys, label, group, and whether the key is fixed.

    On pages from right to left the left arrow leads on.
    Where an answer is `saved` by Enter, the grades are labels that their keys turn on and off; `of_pairs` they are
    those of a preference.
    Those that the page does not have, as those of `without`, are `unlisted`: they keep their keys.
    """
    labels, actions = (
        LABELS_ON_CARDS if on_cards else {},
        (preferences_of if of_pairs else actions_of)(grades),
    )
    if saved:
        both = zip(grades, actions, strict=False)
        actions = [SAVE, *(each._replace(label=grade.name, fixed=True) for grade, each in both), *ACTIONS]
    ours = {each.name for each in (*ACTIONS, SAVE)}
    moves = {"next", "previous"} if runs_from_right() else set()
    return [
        {
            **action._asdict(),
            "keys": tuple(OPPOSITE.get(key, key) if action.name in moves else key for key in action.keys),
            "label": gettext(labels.get(action.name, action.label)) if action.name in ours else action.label,
            "group": gettext(action.group),
            "unlisted": action.name in without
            or (on_cards and action.name in NOT_ON_CARDS)
            or (of_pairs and action.name in NOT_OF_PAIRS),
        }
        for action in actions
    ]


def _check_own(own: Mapping[str, str], actions: Mapping[str, Action]) -> None:
    for name, key in own.items():
        if name not in actions:
            raise WrongKey(f"there is no action {name!r} whose key could be changed")
        if actions[name].fixed:
            raise WrongKey(gettext("the key of “%(action)s” is always its digit", action=actions[name].label))
        if key and not is_possible(key):
            raise WrongKey(gettext(NO_KEY, key=repr(key)))


def is_possible(key: str) -> bool:
    """Whether a key may be given to an action: a small letter, a sign, or one of NAMED_KEYS; never a digit."""
    if key in NAMED_KEYS:
        return True
    if len(key) != 1 or not key.isprintable() or key.isspace() or key.isdecimal() or key in digits:
        return False
    return key in CAPITALS or not ("A" <= key <= "Z")


class GradeButton(NamedTuple):
    """One grade as it is offered: `key` is a digit or a letter, and that of `action`.

    `fill` is the share of the disc that is filled, 0 to 100. `tone` is "none" for grades that are not relevant,
    "1" to "4" for relevant ones from the weakest to the strongest, "special" for negative grades; of a preference
    one of workbench.core.battles.OUTCOMES.
    """

    grade: int
    name: str
    guideline: str
    key: str
    fill: int
    tone: str
    action: str


def in_order(grades: Sequence[Grade]) -> list[Grade]:
    """A scale as it is offered: ordinary grades ascending, then the special ones, nearest to 0 first."""
    ordinary = sorted(grade for grade in grades if grade.grade >= 0)
    return [*ordinary, *sorted((grade for grade in grades if grade.grade < 0), reverse=True)]


def grade_buttons(
    grades: Sequence[Grade],
    relevant_from: int,
    own_keys: Mapping[str, str] | None = None,
    order: str = "ascending",
) -> list[GradeButton]:
    """The buttons of a scale; `own_keys` are the keys that an assessor has changed, by action.

    `order` is one of KEY_ORDERS: descending offers the highest grade first. Special grades come last in both, and the
    key of a grade is the same.
    """
    ordered, own = in_order(grades), own_keys or {}
    ordinary = [grade for grade in ordered if grade.grade >= 0]
    keys = grade_keys(ordered)
    steps = max(len(ordinary) - 1, 1)
    fills = {grade.grade: round(100 * step / steps) for step, grade in enumerate(ordinary)}
    relevant = [grade.grade for grade in ordinary if grade.grade >= relevant_from]
    tones = {grade.grade: "none" for grade in ordinary}
    tones |= {grade: str(-(-TONES * step // len(relevant))) for step, grade in enumerate(relevant, start=1)}
    buttons = [
        GradeButton(
            *grade,
            key=own.get(grade_action(grade.grade), keys[grade.grade]),
            fill=fills.get(grade.grade, 0),
            tone=tones.get(grade.grade, "special"),
            action=grade_action(grade.grade),
        )
        for grade in ordered
    ]
    if order == "descending":
        buttons.sort(key=lambda button: -button.grade)
    return buttons


def preference_buttons(
    grades: Sequence[Grade], own_keys: Mapping[str, str] | None = None
) -> list[GradeButton]:
    """The buttons of a preference from the left side on; `own_keys` as of `grade_buttons`."""
    named, own = {each.grade: each for each in grades}, own_keys or {}
    return [
        GradeButton(
            *named[grade],
            key=own.get(preferring(grade), keys[0]),
            fill=0,
            tone=_OUTCOME[grade].replace(" ", "-"),
            action=preferring(grade),
        )
        for grade, keys in PREFERENCE_KEYS.items()
        if grade in named
    ]
