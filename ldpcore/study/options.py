"""What a task can be told beside marks and ε: a frozen dataclass of its own, of which this is the common part."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from ldpcore import domain
from ldpcore.study.marks import Marks


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """The options of a task: a field each, with its usual value. TypeError or ValueError, with a sentence, for a value
    of another kind than the usual one, or beyond all measure.
    """

    PORTABLE: ClassVar[tuple[str, ...]] = ()
    """Those that make sense on other data too."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, list):
                self._set(each.name, value := tuple(value))
            _check(each.name, value, each.default)
        self.check()

    def asked_marks(self, marks: Marks) -> Marks:
        """Of a study's marks those of what is asked: the others protect nothing."""
        return marks

    def check(self) -> None:
        """Whether the values make sense together; ValueError or TypeError with a sentence."""

    def _set(self, name: str, value: Any) -> None:
        """Write a value as it is kept."""
        object.__setattr__(self, name, value)

    @property
    def published(self) -> Self:
        """Without what would tell of the answers."""
        return self

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(each.name for each in fields(cls))

    @classmethod
    def of(cls, task: str, given: Mapping[str, Any]) -> Self:
        """These values over the usual ones, which None stands for; ValueError for what the task does not have."""
        unknown = set(given) - {*cls.names()}
        if unknown:
            raise ValueError(
                f"the {task} task has no option {', '.join(sorted(unknown))}; it has {', '.join(cls.names())}"
            )
        return cls(**{name: value for name, value in given.items() if value is not None})

    @property
    def changed(self) -> dict[str, Any]:
        """Name → value of those that are not as usual, sorted."""
        values = {each.name: (getattr(self, each.name), each.default) for each in fields(self)}
        return {name: value for name, (value, usual) in sorted(values.items()) if value != usual}

    @property
    def portable(self) -> Self:
        """Without what makes sense on these data alone."""
        return type(self)(**{name: value for name, value in self.changed.items() if name in self.PORTABLE})


def _check(name: str, value: Any, usual: Any) -> None:
    """TypeError or ValueError for an option of another kind than its default, or beyond all measure. None as a default
    says nothing of the kind, only that it is no list.
    """
    if isinstance(usual, tuple) != isinstance(value, tuple):
        like = f'a list, such as ["{value:.60}"]' if isinstance(value, str) else "a list"
        raise TypeError(f"the option {name} is {like if isinstance(usual, tuple) else 'no list'}, got {value!r:.60}")
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(usual, bool | str) and not isinstance(each, type(usual)):
            raise TypeError(f"the option {name} is {'a text' if isinstance(usual, str) else 'true or false'}, "
                            f"got {each!r:.60}")  # fmt: skip
        if not isinstance(each, int | float) or isinstance(each, bool):
            if isinstance(usual, int | float) and not isinstance(usual, bool):
                raise TypeError(f"the option {name} is a number, got {each!r:.60}")
        elif not abs(each) <= domain.LARGEST:
            raise ValueError(f"the option {name} must be a number up to {domain.LARGEST:g}, got {each!r:.60}")
