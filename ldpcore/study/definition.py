"""A Study: one frozen description of a survey that is protected, under several mechanisms: one setting of everything.

The app edits it, the terminal runs it, the report embeds it. Two of them are a `Comparison` (comparison.py).
"""

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, fields, replace
from math import frexp
from typing import Any

from ldpcore import checks
from ldpcore.data import ReadOptions, Table
from ldpcore.memory import Remembering, remembered
from ldpcore.study.marks import LEVELS as LEVELS
from ldpcore.study.marks import SECRET as SECRET
from ldpcore.study.marks import SENSITIVE as SENSITIVE
from ldpcore.study.marks import UNMARKED, Choice, Marks, most
from ldpcore.study.options import TaskOptions


@dataclass(frozen=True)
class Kind:
    """What a Study needs to know of its task: what it can be drawn against, the first one usually; the mechanisms that
    are compared until somebody chooses; whether people can choose their marks for themselves (`choices`); its options.
    """

    axes: tuple[str, ...]
    mechanisms: Callable[[], tuple[str, ...]]
    choices: tuple[str, ...] = ()
    options: type[TaskOptions] = TaskOptions


KINDS: dict[str, Kind] = {}
"""Every task by its name, filled by tasks.py, the one list of them."""
MISSING = ("any", "column", "category")
MAX_CELLS = 2**20
"""The largest N of a grid: one release of so many cells takes about 0.1 s."""
MIN_EPSILON = 1000 * checks.MIN_EPSILON
MAX_POINTS = 1000
"""The largest number of points of a grid."""
MAX_PEOPLE = 10**12
"""The largest number of people, and of anything else that a study counts."""

USUAL = TaskOptions()
"""No option is set."""
DEFAULT_GRID = (0.1, 0.2, 0.4, 0.7, 1.0, 1.6, 2.5, 4.0)


@dataclass(frozen=True)
class Source:
    """Which data: the `name` of a bundled set or a file, and its `digest`, the SHA-256 of its unpacked bytes ("" = not
    checked). `missing`: values that are no answers, by column (`ldpcore.data.Table.with_missing`); the digest is that
    of the table without them. `read`: how the file is read, where somebody decided it.

    >>> Source("health").name
    'health'
    """

    name: str
    digest: str = ""
    missing: tuple[tuple[str, tuple[str, ...]], ...] = ()
    read: ReadOptions = ReadOptions()  # noqa: RUF009

    @classmethod
    def of(cls, table: Table) -> "Source":
        """These very data."""
        return cls(table.name, table.digest, tuple(table.missing.items()), table.options)


@dataclass(frozen=True)
class Study(Remembering):
    """What to compare. Raises ValueError or TypeError with a sentence when a field makes no sense.

    `grid` holds the values of `axis` to visit; the point chosen now (`epsilon` for the axis "epsilon", else the
    data's own) is always visited too, and alone gets a row for every value of the column.
    `n` None uses the data's own number of people; another n keeps the shares. `options` are the task's own dataclass;
    a mapping or pairs are taken over the usual ones. Without
    `mechanisms` the usual ones of the task are compared.

    `data` says which table, `column` which of its columns; `task` is a key of `KINDS`, `mechanisms` are keys of its
    catalogue; `marks` say what is sensitive, and `choices` who marks something else for themselves; `epsilon` is in
    nats, and so is `secret_epsilon`, that of secret values, which is never above it (None: the same); `axis` is one of
    the task's; `missing` says who is left out ("any": rows incomplete in any column, "column": in this one,
    "category": nobody); `bins` (low, high, count) is the public range of a column of numbers, in the user's units;
    `repetitions` surveys are simulated from `seed`. Frozen and hashable.

    >>> study = Study(Source("health"), "condition", mechanisms=("GRR", "uSS"), grid=(0.5, 1.0, 2.0))
    >>> study.with_options(attacks=0).option("attacks")
    0
    >>> Study(Source("health"), "condition", axis="time")
    Traceback (most recent call last):
    ValueError: axis must be one of epsilon, n, share, k, got 'time'
    """

    data: Source
    column: str
    marks: Marks = UNMARKED
    mechanisms: tuple[str, ...] = ()
    epsilon: float = 1.0
    axis: str = "epsilon"
    grid: tuple[float, ...] = DEFAULT_GRID
    n: int | None = None
    missing: str = "any"
    bins: tuple[float, float, int] | None = None
    repetitions: int = 10
    seed: int = 7
    task: str = "frequency"
    options: TaskOptions = USUAL
    secret_epsilon: float | None = None
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        _one_of("task", self.task, KINDS)
        _one_of("missing", self.missing, MISSING)
        _one_of("axis", self.axis, KINDS[self.task].axes)
        if not self.mechanisms:
            object.__setattr__(self, "mechanisms", KINDS[self.task].mechanisms())
        # A study file may say 3.0 or 1e6: whole numbers are kept as int.
        object.__setattr__(self, "epsilon", _budget(self.epsilon))
        if self.secret_epsilon is not None:
            object.__setattr__(self, "secret_epsilon", min(_budget(self.secret_epsilon), self.epsilon))
        object.__setattr__(self, "repetitions", checks.integer(self.repetitions, "repetitions", 1, 10_000))
        object.__setattr__(self, "seed", checks.integer(self.seed, "seed", 0, 2**63 - 1))
        if self.n is not None:
            object.__setattr__(self, "n", checks.integer(self.n, "n (the number of people)", 1, MAX_PEOPLE))
        self._take_options()
        self._check_lists()
        self._check_choices()

    def __hash__(self) -> int:
        return self.hash_once(lambda: hash(tuple(getattr(self, each.name) for each in fields(self))))

    def _take_options(self) -> None:
        """Those of the task; of a mapping or of pairs, as a file has them, or of another task."""
        if type(self.options) is not (kind := KINDS[self.task].options):
            given = self.options.changed if isinstance(self.options, TaskOptions) else dict(self.options)
            object.__setattr__(self, "options", kind.of(self.task, given))

    def _check_lists(self) -> None:
        if not isinstance(self.marks, Marks):
            raise TypeError(f"marks are given as Marks.of([...]), got {type(self.marks).__name__}")
        if len(self.grid) > MAX_POINTS:
            raise ValueError(f"the grid must hold at most {MAX_POINTS} points, got {len(self.grid)}")
        for x in self.grid:
            if self.axis == "epsilon":
                _budget(x)
            elif not 0 <= x <= MAX_PEOPLE:
                raise ValueError(f"the grid must hold numbers from 0 to {MAX_PEOPLE:g}, got {x:g}")
            elif self.axis == "N" and not (1 <= x <= MAX_CELLS and frexp(x)[0] == 0.5):
                raise ValueError(f"the grid of the axis N must hold powers of two from 1 to {MAX_CELLS}, got {x:g}")

    def _check_choices(self) -> None:
        for choice in self.choices:
            if not isinstance(choice, Choice):
                kind = type(choice).__name__
                raise TypeError(f"choices are given as Choice(Marks.of([...]), 0.3), got {kind}")
            for what in ("share", "holders"):
                if getattr(choice, what) is not None and what not in KINDS[self.task].choices:
                    able = " and ".join(name for name, kind in KINDS.items() if what in kind.choices)
                    called = "marks" if what == "share" else "marks with another share among holders"
                    raise ValueError(
                        f"people choose their own {called} in {able}, not in {self.task}: leave "
                        f"{'choices' if what == 'share' else 'holders'} out"
                    )
        if most(self.choices) > 1 + 1e-9:
            raise ValueError("the shares of people who choose other marks add up to more than 1")

    def secret_at(self, epsilon: float) -> float:
        """The ε of a secret value where a sensitive one has this: it is never above it.

        >>> study = Study(Source("health"), "condition", epsilon=2.0, secret_epsilon=0.5)
        >>> study.secret_at(1.0), study.secret_at(0.1)
        (0.5, 0.1)
        """
        return epsilon if self.secret_epsilon is None else min(self.secret_epsilon, epsilon)

    def spending(self, epsilon: float, secret: bool = False) -> "Study":
        """The same at another ε, of which secret values keep their part. secret: it is theirs, and the others' follows.

        >>> study = Study(Source("health"), "condition", epsilon=2.0, secret_epsilon=0.5)
        >>> study.spending(1.0).secret_epsilon, study.spending(1.0, secret=True).epsilon
        (0.25, 4.0)
        """
        if self.secret_epsilon is None:
            return replace(self, epsilon=epsilon)
        part = self.secret_epsilon / self.epsilon
        both = (epsilon / part, epsilon) if secret else (epsilon, part * epsilon)
        return replace(self, epsilon=both[0], secret_epsilon=both[1])

    def anchored(self, epsilon: float) -> "Study":
        """The same study whatever its ε is, for work over an axis of ε: at this one, or at that of secret values where
        it is larger, which would else be lowered with it.

        >>> study = Study(Source("health"), "condition", epsilon=2.0, secret_epsilon=0.5)
        >>> study.anchored(0.1).secret_epsilon, study.anchored(0.1) == replace(study, epsilon=1.0).anchored(0.1)
        (0.5, True)
        """
        return replace(self, epsilon=max(epsilon, self.secret_epsilon or 0.0))

    def derived(self, key: tuple[Hashable, ...], make: Callable[[], "Study"]) -> "Study":
        """Another study that follows from this one, made once as long as this object is there.

        >>> study = Study(Source("health"), "condition")
        >>> other = study.derived(("twice",), lambda: replace(study, epsilon=2 * study.epsilon))
        >>> other.epsilon, other is study.derived(("twice",), lambda: study)
        (2.0, True)
        """
        return remembered(self, key, make, 64)

    def at_point(self) -> "Study":
        """The same at its own ε alone: along no axis.

        >>> study = Study(Source("health"), "condition", axis="n", grid=(100, 1000))
        >>> study.at_point().axis, study.at_point().grid, study.at_point().at_point() is study.at_point()
        ('epsilon', (), True)
        """
        if self.axis == "epsilon" and not self.grid:
            return self
        return self.derived(("at point",), lambda: replace(self, axis="epsilon", grid=()))

    def with_mechanisms(self, mechanisms: tuple[str, ...]) -> "Study":
        """The same study of these mechanisms.

        >>> Study(Source("health"), "condition").with_mechanisms(("GRR",)).mechanisms
        ('GRR',)
        """
        if self.mechanisms == mechanisms:
            return self
        return self.derived(("of", mechanisms), lambda: replace(self, mechanisms=mechanisms))

    def option(self, name: str) -> Any:
        """One of the task's options."""
        return getattr(self.options, name)

    def with_options(self, **changes: Any) -> "Study":
        """The same study with these options set; None makes one the usual again."""
        return replace(self, options=self.changed_options(**changes))

    def published(self, public: bool = False) -> "Study":
        """The same without what tells of the answers: of the marks, those of what is asked, no order of how common they
        are; no goal for which an ε was calculated from the shares (`TaskOptions.published`); and of data that are not
        `public` no digest, by which whoever knows all rows but one could try what is in that one.

        >>> Study(Source("ward.csv", "0" * 64), "cause", Marks.of(["flu", "HIV"])).published().marks.values
        ('HIV', 'flu')
        """
        data = self.data if public else replace(self.data, digest="")
        marks = Marks(tuple(sorted(self.options.asked_marks(self.marks).levels)))
        return replace(self, data=data, marks=marks, options=self.options.published)

    def changed_options(self, **changes: Any) -> TaskOptions:
        """The options with these set; None makes one the usual again. ValueError or TypeError with a sentence."""
        return KINDS[self.task].options.of(self.task, self.options.changed | changes)


def _budget(value: Any) -> float:
    """An ε that a task can still share among a thousand questions, items or rounds."""
    epsilon = checks.epsilon(value)
    if epsilon < MIN_EPSILON:
        raise ValueError(
            f"epsilon must be at least {MIN_EPSILON:g} in a study, got {epsilon:g}; usual values lie between 0.1 and 5"
        )
    return epsilon


def _one_of(what: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}, got {value!r}")
