"""What the data are called: baskets of items, or people and their answers; and the sentences that depend on it."""

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.data import ALL_COLUMNS


class Terms:
    """Of items: transactions, or lists that people gave."""

    def holders(self, n: float) -> str:
        return words.plural(round(n), t("basket"), t("baskets"))

    def items(self, n: int) -> str:
        return words.plural(n, t("item"), t("items"))

    def marked(self, n: int, start: bool = False) -> str:
        return words.plural(n, t("marked item"), t("marked items"), start=start)

    def unit(self) -> str:
        return t("baskets")

    def least(self) -> str:
        return t("At least, baskets")

    def at_least(self, n: int) -> str:
        return t("at least {baskets}", baskets=self.holders(n))

    def held(self, n: int) -> str:
        return t("in {baskets}", baskets=self.holders(n))

    def whole(self) -> str:
        return t("Marks do not apply here: a miner protects <b>whole baskets</b>, whatever is in them.")

    def kept(self, promise: str) -> str:
        """What the catalogue says of a promise."""
        return promise

    def impossible(self, asked: int, n: int) -> str:
        holes = {"asked": words.count(asked), "n": words.count(n)}
        return t("No set can be in {asked} of {n} baskets; choose a number of baskets between 1 and {n}", **holes)

    def crowd(self, least: int) -> str:
        return t("More sets are in at least {baskets} than can be counted and compared.", baskets=self.holders(least))

    def nothing(self, least: int, n: int, most: int) -> str:
        """When no set is frequent."""
        return t(
            "No item is in {least} of the {n} baskets: nothing is frequent, so nothing can be found or missed. The "
            "commonest item is in {most}.",
            least=words.count(least),
            n=words.count(n),
            most=words.count(most),
        )

    def first(self, length: int, least: int) -> str:
        """The question that was proposed, where the usual one would leave too many sets."""
        return t(
            "<b>A first picture, proposed:</b> sets of up to {items} in at least {baskets}, few enough to compare. "
            "Change the number beside the data, the length below.",
            items=self.items(length),
            baskets=self.holders(least),
        )

    def search(self, length: int, least: int) -> str:
        """The button that asks such a question."""
        return t("Sets of up to {items} in at least {baskets}", items=self.items(length), baskets=self.holders(least))

    def given(self, clip: str, p: str, miner: str) -> str:
        """What limited noise proves, for the headline."""
        return t(
            "Within ±{clip} {miner}’s noise gives the longest basket away with probability {p}.",
            clip=clip,
            p=p,
            miner=miner,
        )

    def proves(self, clip: str, miner: str, one: str, all_of: str) -> str:
        """δ of one count, and of all that the longest basket can move."""
        return t(
            "Noise within ±{clip}: one count of {miner} proves with probability {one} that a basket is there, all "
            "counts together with {all} that the longest is.",
            clip=clip,
            miner=miner,
            one=one,
            all=all_of,
        )

    def withheld(self, marked: str, lost: int, true: int) -> str:
        """What it costs not to publish the marked items; `marked`: how many, as the page writes it."""
        return t(
            "{marked} withheld: no set with one of them is looked for or published. That gives up {lost} of the {true} "
            "frequent sets, which count as missed. Whether a basket is protected does not change: the miner’s promise "
            "covers it whole.",
            marked=marked,
            lost=words.count(lost),
            true=words.count(true),
        )

    def by_one(self) -> str:
        return t("by basket")

    def bill(self, longest: int) -> str:
        return t(
            "Booked: as the miner counts. By basket: what the longest, of {items}, can move, the candidates taken as "
            "given. Defended: what holds for the whole release.",
            items=self.items(longest),
        )

    def apart(self) -> str:
        return t("Two data sets, one basket apart.")

    def harmless(self, least: int) -> str:
        return t(
            "No two such data sets show it here: no set that is only just frequent, in {least} baskets, leads DFDP to "
            "a larger one that the noise can lift. Choose another number of baskets.",
            least=words.count(least),
        )

    def hinge(self, hinge: str, least: int, taken: int) -> str:
        """The set on which a candidate hangs, after so many were left out."""
        holes = {"hinge": hinge, "held": words.count(least)}
        if not taken:
            return t("<b>{hinge}</b> is in just {held} baskets of these data.", **holes)
        return t("Leave {baskets} out, so that <b>{hinge}</b> is in just {held}.", baskets=self.holders(taken), **holes)

    def witness(self, witness: str, p: str) -> str:
        return t(
            "One more basket goes, one that holds it: it is no longer frequent, and DFDP no longer looks at "
            "<b>{witness}</b>. With that basket DFDP publishes it with probability <b>{p}</b>, without it "
            "<b>never</b>. Seeing it published proves that the basket was there; no ε allows that.",
            witness=witness,
            p=p,
        )

    def removed(self, items: str, s: str) -> str:
        return t("The basket: {basket}. s = {s}.", basket=items, s=s)

    def repair(self) -> str:
        return t(
            "<b>The repair:</b> what is looked for follows from noisy numbers alone, and one basket can move them only "
            "so much."
        )


class Answers(Terms):
    """Of people to the questions of a table: an item is a column's value."""

    def holders(self, n: float) -> str:
        return words.plural(round(n), t("person"), t("people"))

    def items(self, n: int) -> str:
        return words.plural(n, t("answer"), t("answers"))

    def marked(self, n: int, start: bool = False) -> str:
        return words.plural(n, t("marked answer"), t("marked answers"), start=start)

    def unit(self) -> str:
        return t("people")

    def least(self) -> str:
        return t("At least, people")

    def held(self, n: int) -> str:
        return t("given by {people}", people=self.holders(n))

    def whole(self) -> str:
        return t("Marks do not apply here: a miner protects <b>all answers of a person</b> together.")

    def kept(self, promise: str) -> str:
        texts = {
            "yes, for whole baskets": t("yes, for all answers of a person"),
            "yes, if the longest basket is public": t("yes, if the most answers of a person are public"),
        }
        return texts.get(promise, promise)

    def impossible(self, asked: int, n: int) -> str:
        holes = {"asked": words.count(asked), "n": words.count(n)}
        return t(
            "No answers can be those of {asked} of {n} people; choose a number of people between 1 and {n}", **holes
        )

    def crowd(self, least: int) -> str:
        return t(
            "More sets of answers are given by at least {people} than can be counted and compared.",
            people=self.holders(least),
        )

    def nothing(self, least: int, n: int, most: int) -> str:
        return t(
            "No answer is given by {least} of the {n} people: nothing is frequent, so nothing can be found or missed. "
            "The commonest is given by {most}.",
            least=words.count(least),
            n=words.count(n),
            most=words.count(most),
        )

    def first(self, length: int, least: int) -> str:
        return t(
            "<b>A first picture, proposed:</b> sets of up to {answers} that at least {people} share, few enough to "
            "compare. Change the number beside the data, the length below.",
            answers=self.items(length),
            people=self.holders(least),
        )

    def search(self, length: int, least: int) -> str:
        holes = {"answers": self.items(length), "people": self.holders(least)}
        return t("Sets of up to {answers} that at least {people} share", **holes)

    def given(self, clip: str, p: str, miner: str) -> str:
        return t(
            "Within ±{clip} {miner}’s noise gives somebody away with probability {p}.",
            clip=clip,
            p=p,
            miner=miner,
        )

    def proves(self, clip: str, miner: str, one: str, all_of: str) -> str:
        return t(
            "Noise within ±{clip}: one count of {miner} proves with probability {one} that a person took part, all "
            "counts together with {all} that somebody did who gave the most answers.",
            clip=clip,
            miner=miner,
            one=one,
            all=all_of,
        )

    def withheld(self, marked: str, lost: int, true: int) -> str:
        return t(
            "{marked} withheld: no set with one of them is looked for or published. That gives up {lost} of the {true} "
            "frequent sets, which count as missed. Whether a person is protected does not change: the miner’s promise "
            "covers all answers.",
            marked=marked,
            lost=words.count(lost),
            true=words.count(true),
        )

    def by_one(self) -> str:
        return t("by person")

    def bill(self, longest: int) -> str:
        return t(
            "Booked: as the miner counts. By person: what one with {answers} can move, the candidates taken as given. "
            "Defended: what holds for the whole release.",
            answers=self.items(longest),
        )

    def apart(self) -> str:
        return t("Two data sets, one person apart.")

    def harmless(self, least: int) -> str:
        return t(
            "No two such data sets show it here: no set that is only just frequent, given by {least} people, leads "
            "DFDP to a larger one that the noise can lift. Choose another number of people.",
            least=words.count(least),
        )

    def hinge(self, hinge: str, least: int, taken: int) -> str:
        holes = {"hinge": hinge, "held": words.count(least)}
        if not taken:
            return t("Just {held} people of these data give <b>{hinge}</b>.", **holes)
        return t("Leave {people} out, so that just {held} give <b>{hinge}</b>.", people=self.holders(taken), **holes)

    def witness(self, witness: str, p: str) -> str:
        return t(
            "One more person goes, one who gives it: it is no longer frequent, and DFDP no longer looks at "
            "<b>{witness}</b>. With that person DFDP publishes it with probability <b>{p}</b>, without <b>never</b>. "
            "Seeing it published proves that the person took part; no ε allows that.",
            witness=witness,
            p=p,
        )

    def removed(self, items: str, s: str) -> str:
        return t("The person: {answers}. s = {s}.", answers=items, s=s)

    def repair(self) -> str:
        return t(
            "<b>The repair:</b> what is looked for follows from noisy numbers alone, and one person can move them only "
            "so much."
        )


def of(column: str) -> Terms:
    """How a column of sets is spoken of."""
    return Answers() if column == ALL_COLUMNS else Terms()
