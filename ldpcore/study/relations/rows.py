"""What a relation's facts list: groups, and other ways to ask the same."""

from dataclasses import dataclass

from ldpcore.relations import RelationEstimate


@dataclass(frozen=True)
class GroupRow:
    """label of a group; how many people are in it, and how many are estimated to be; the share of the answers in it,
    estimated, true and raw.
    """

    label: str
    people: int
    size: float
    marked: bool
    share: RelationEstimate
    truth: float
    raw: float


@dataclass(frozen=True)
class OtherWay:
    """Another way to ask the same: setting, whether only what is compared is asked, how many groups and answers there
    are then, and its ± in points.
    """

    setting: str
    joined: bool
    groups: int
    answers: int
    margin: float
