"""What the data are called, as one table of nouns: baskets of items, or people and their answers; and the sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.data import ALL_COLUMNS


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The nouns of one kind of data, in the language that is shown, and what the page says with them."""

    holder: tuple[str, str]
    """Whoever has the items: one, several."""
    item: tuple[str, str]
    marked_item: tuple[str, str]
    among: str
    """What stands between a set and the number of its holders."""
    whole: str
    """All that a miner protects of one holder."""
    longest: str
    """The holder of the most items."""
    promises: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the catalogue says of a promise, where it speaks of baskets."""

    def holders(self, n: float) -> str:
        return words.plural(round(n), *self.holder)

    def items(self, n: int) -> str:
        return words.plural(n, *self.item)

    def marked(self, n: int, start: bool = False) -> str:
        return words.plural(n, *self.marked_item, start=start)

    def unit(self) -> str:
        return self.holder[1]

    def least(self) -> str:
        return t("At least, {baskets}", baskets=self.holder[1])

    def at_least(self, n: int) -> str:
        return t("at least {baskets}", baskets=self.holders(n))

    def held(self, n: int) -> str:
        return t("{in_} {baskets}", in_=self.among, baskets=self.holders(n))

    def frequent(self, n: int, least: int) -> str:
        """How many frequent sets there are, and what that is, within a sentence."""
        return t("{sets} of {items} {in_} {least} or more {baskets}", sets=words.plural(n, t("set"), t("sets")),
                 items=self.item[1], in_=self.among, least=words.count(least), baskets=self.holder[1])  # fmt: skip

    def unmarked(self, is_trusted: bool) -> str:
        """Why marks change nothing, and whom people must trust. is_trusted: whether a miner needs a curator."""
        if is_trusted:
            return t("A <b>trusted curator</b> sees {whole}; noise protects them, marked or not.", whole=self.whole)
        return t("Marks do not apply: a miner protects <b>{whole}</b>, whatever they are.", whole=self.whole)

    def kept(self, promise: str) -> str:
        """What the catalogue says of a promise."""
        return self.promises.get(promise, promise)

    def impossible(self, asked: int, n: int) -> str:
        return t(
            "No set can be {in_} {asked} of {n} {baskets}; choose a number of {baskets} between 1 and {n}",
            in_=self.among,
            asked=words.count(asked),
            n=words.count(n),
            baskets=self.holder[1],
        )

    def crowd(self, least: int) -> str:
        holes = {"in_": self.among, "least": self.at_least(least)}
        return t("More sets are {in_} {least} than can be counted and compared.", **holes)

    def nothing(self, least: int, n: int, most: int) -> str:
        """When no set is frequent."""
        return t(
            "No {item} is {in_} {least} of the {n} {baskets}: nothing is frequent, so nothing can be found or missed. "
            "The commonest {item} is {in_} {most}.",
            item=self.item[0],
            in_=self.among,
            least=words.count(least),
            n=words.count(n),
            baskets=self.holder[1],
            most=words.count(most),
        )

    def first(self, length: int, least: int) -> str:
        """The question that was proposed, where the usual one would leave too many sets."""
        return t(
            "<b>A first picture, proposed:</b> sets of up to {items} {in_} {least}, few enough to compare. Change the "
            "number beside the data, the length below.",
            items=self.items(length),
            in_=self.among,
            least=self.at_least(least),
        )

    def search(self, length: int, least: int) -> str:
        """The button that asks such a question."""
        holes = {"items": self.items(length), "in_": self.among, "least": self.at_least(least)}
        return t("Sets of up to {items} {in_} {least}", **holes)

    def given(self, clip: str, p: str, miner: str) -> str:
        """What limited noise proves, for the headline."""
        return t(
            "Within ±{clip}, {miner}’s noise gives {longest} away with probability {p}.",
            clip=clip,
            p=p,
            miner=miner,
            longest=self.longest,
        )

    def proves(self, clip: str, miner: str, one: str, all_of: str) -> str:
        """δ of one count, and of all that the longest basket can move."""
        return t(
            "Noise within ±{clip}: one count of {miner} proves with probability {one} that a {basket} is there, all "
            "counts together with {all} that {longest} is.",
            clip=clip,
            miner=miner,
            one=one,
            basket=self.holder[0],
            all=all_of,
            longest=self.longest,
        )

    def withheld(self, marked: str, lost: int, true: int) -> str:
        """What it costs not to publish the marked items; `marked`: how many, as the page writes it."""
        return t(
            "{marked} withheld: no set with one of them is looked for or published. That gives up {lost} of the {true} "
            "frequent sets, which count as missed. Whether a {basket} is protected does not change: the miner’s "
            "promise covers {whole}.",
            marked=marked,
            lost=words.count(lost),
            true=words.count(true),
            basket=self.holder[0],
            whole=self.whole,
        )

    def by_one(self) -> str:
        return t("by {basket}", basket=self.holder[0])

    def bill(self, longest: int) -> str:
        return t(
            "Booked: as the miner counts. By {basket}: what one with {items}, the most here, can move, the candidates "
            "taken as given. Defended: what holds for the whole release.",
            basket=self.holder[0],
            items=self.items(longest),
        )

    def apart(self) -> str:
        return t("Two data sets, one {basket} apart.", basket=self.holder[0])

    def harmless(self, least: int) -> str:
        return t(
            "No two such data sets show it here: no set that is only just frequent, {held}, leads DFDP to a larger one "
            "that the noise can lift. Choose another number of {baskets}.",
            held=self.held(least),
            baskets=self.holder[1],
        )

    def hinge(self, hinge: str, least: int, taken: int) -> str:
        """The set on which a candidate hangs, after so many were left out."""
        holes = {"hinge": hinge, "in_": self.among, "baskets": self.holders(least)}
        if not taken:
            return t("<b>{hinge}</b> is {in_} just {baskets} of these data.", **holes)
        return t("Leave {out} out, so that <b>{hinge}</b> is {in_} just {baskets}.", out=self.holders(taken), **holes)

    def witness(self, witness: str, p: str) -> str:
        return t(
            "One more {basket} goes, one with it: it is no longer frequent, and DFDP no longer looks at "
            "<b>{witness}</b>. With that {basket} DFDP publishes it with probability <b>{p}</b>, without it "
            "<b>never</b>. Seeing it published proves that the {basket} was there; no ε allows that.",
            basket=self.holder[0],
            witness=witness,
            p=p,
        )

    def removed(self, items: str, s: str) -> str:
        return t("The {basket}: {items}. s = {s}.", basket=self.holder[0], items=items, s=s)

    def repair(self) -> str:
        return t(
            "<b>The repair:</b> what is looked for follows from noisy numbers alone, and one {basket} can move them "
            "only so much.",
            basket=self.holder[0],
        )


def baskets() -> Terms:
    """Of items: transactions, or lists that people gave."""
    return Terms(
        holder=(t("basket"), t("baskets")),
        item=(t("item"), t("items")),
        marked_item=(t("marked item"), t("marked items")),
        among=t("in"),
        whole=t("whole baskets"),
        longest=t("the longest basket"),
    )


def answers() -> Terms:
    """Of people to the questions of a table: an item is a column's value."""
    return Terms(
        holder=(t("person"), t("people")),
        item=(t("answer"), t("answers")),
        marked_item=(t("marked answer"), t("marked answers")),
        among=t("given by"),
        whole=t("all answers of a person"),
        longest=t("whoever gave the most answers"),
        promises={
            "yes, for whole baskets": t("yes, for all answers of a person"),
            "yes, if the longest basket is public": t("yes, if the most answers of a person are public"),
        },
    )


def of(column: str) -> Terms:
    """How a column of sets is spoken of."""
    return answers() if column == ALL_COLUMNS else baskets()
