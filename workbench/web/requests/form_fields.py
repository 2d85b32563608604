"""Fields of forms and addresses that a view declares: its keyword-only parameters, as those of a registry's functions.

    @blueprint.post("/c/<campaign>/topic/withdraw", allow=ORGANISERS)
    def withdraw(campaign: str, *, topic: TopicId, reason: Reason = "") -> ResponseReturnValue: ...

A form of a page that does several things names one in its field `do`; `Changes` has what it may be, each a function
with fields of its own. The description of the server's addresses is made from the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial, wraps
from typing import Annotated, Any, TypeVar, cast

from flask import g, request
from werkzeug.datastructures import FileStorage, MultiDict

from workbench.core.errors import CampaignError
from workbench.core.parameters import KINDS, Kind, Limits, Parameter, parameters_of
from workbench.core.values import LARGEST_INTEGER
from workbench.storage.campaign.log.kinds import LONGEST_REASON

DO = "do"
LONGEST_SAID = 400
"""Characters of a message with the value that was sent."""

Function = TypeVar("Function", bound=Callable[..., Any])


KINDS[FileStorage] = Kind("a file", lambda text: FileStorage(), FileStorage)

TopicId = Annotated[str, Limits("the id of a topic")]
DocumentId = Annotated[str, Limits("the id of a document")]
Ticked = Annotated[Sequence[str], Limits("the rows of the list that are chosen, each by its name")]
ShortName = Annotated[str, Limits("a name", most=200)]
Reason = Annotated[str, Limits("why, for the log", most=LONGEST_REASON)]
Count = Annotated[int, Limits("how many", least=0, most=LARGEST_INTEGER)]
Percent = Annotated[float, Limits("a percentage, such as 3", least=0, most=100)]
Row = Annotated[int, Limits("a row of the log: what the sender has seen", least=0, most=LARGEST_INTEGER)]
Grade = Annotated[int, Limits("a grade of the scale", least=-LARGEST_INTEGER, most=LARGEST_INTEGER)]
Seed = Annotated[int, Limits("the seed of a draw", least=-LARGEST_INTEGER, most=LARGEST_INTEGER)]
Text = Annotated[str, Limits("a text")]
SentFile = Annotated[FileStorage, Limits("the file")]


class WrongField(CampaignError):
    """A field of a form or an address has no value that it takes."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = g.wrong_field = field


class Changes:
    """What the forms of a page do, by their field `do`."""

    def __init__(self) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}

    def __call__(self, do: str) -> Callable[[Function], Function]:
        """Declare the function that does this."""

        def declare(function: Function) -> Function:
            self.functions[do] = function
            return function

        return declare

    def chosen(self) -> Callable[..., Any]:
        """What the form of this request chooses, with the fields of its form; WrongField where it chooses nothing."""
        function = self.functions.get(request.form.get(DO, ""))
        if function is None:
            raise WrongField(DO, f"choose what to do: {DO} is one of {', '.join(self.functions)}")
        return partial(function, **read_fields(function, request.form))


@cache
def declared_fields(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The fields that a view or a change declares, by the names that they have in forms."""
    # What Python's names cannot be: `from_` is `from`, and `asked__from` is `asked-from`.
    return tuple(
        each._replace(name=each.name.rstrip("_").replace("__", "-")) for each in parameters_of(function)
    )


def reading_fields(view: Function) -> Function:
    """The view, called with the fields of the request that it declares."""
    if not declared_fields(view):
        return view

    @wraps(view)
    def read(*places: Any, **named: Any) -> Any:
        sent = request.form if request.method == "POST" else request.args
        return view(*places, **named, **read_fields(view, sent))

    return cast("Function", read)


def read_fields(function: Callable[..., Any], sent: MultiDict[str, str]) -> Mapping[str, Any]:
    """The values of the fields that a function declares, by its parameters; WrongField for what it does not take."""
    return {
        own.name: _value(field, sent)
        for own, field in zip(parameters_of(function), declared_fields(function), strict=True)
    }


def _value(field: Parameter, sent: MultiDict[str, str]) -> Any:
    if field.kind is FileStorage:
        return request.files.get(field.name) or field.default
    texts = [text for text in sent.getlist(field.name) if text.strip()]
    if field.limits.most is not None:  # a text of so many characters is on one line
        texts = [" ".join(text.split()) for text in texts]
    if not texts and field.required:
        raise WrongField(field.name, f"{field.name} is missing: {field.limits.help}")
    if not texts:
        return field.default
    try:
        return field.read_all(texts)
    except ValueError as reason:
        said = str(reason) if len(str(reason)) < LONGEST_SAID else f"{field.name} has no value that it takes"
        raise WrongField(field.name, said) from None
