"""The sentences of the glossary: nothing else is here."""

from collections.abc import Mapping

from ldpcore.catalog import Construction, Coverage

# What is written → what it means: first what a twelve-year-old can follow, then exactly. Between forms of one term
# stands "|"; the longest that fits is taken. A letter that is also a part of words is a term only in "m = 4".
TERMS: Mapping[str, str] = {
    # privacy
    "ε": "How much a report may tell: smaller hides more, and every statistic gets less exact. One report changes the "
    "odds of a protected answer against another at most e^ε times, 2.7 times at ε = 1.",
    "privacy budget": "How much a report may tell, written ε. It is spent by everything that is published, and what "
    "is spent adds up.",
    "budget": "How much may be told in all. ε is spent by everything that is published; what is spent adds up.",
    "δ": "A small chance with which a promise may fail. Where numbers are guessed: how near a guess must come.",
    "ε-LDP|LDP": "Local differential privacy: answers are changed at random before they leave the phone. No report "
    "moves the odds between any two answers beyond e^ε.",
    "ULDP": "Utility-optimised LDP: only marked answers are hidden. An unmarked one may be sent as it is.",
    "SULDP-joint|SULDP-y₀|SULDP": "ULDP for people who hold several items: which marked ones, and how many, is "
    "hidden. With “y₀” the promise is about that number alone, with “joint” about the whole report.",
    "SDLDP": "A weaker promise: marked answers are hidden among each other, not from everything else. It compares "
    "them with one another and with the average of the others, so that a rare unmarked label can point to a marked "
    "answer.",
    "guarded SDLDP|guarded promise": "SDLDP that also bounds every single label, so that none points to marked "
    "answers.",
    "ε-DP|DP": "Differential privacy: what is published hardly depends on any one person. Here in the central model, "
    "where a curator sees the answers.",
    "central model": "Somebody whom people trust holds all true answers, and publishes results with noise.",
    "curator": "Whoever holds all true answers in the central model, and must be trusted with them.",
    "collector": "Whoever receives the reports, and may try to guess answers from them.",
    "intruder": "Somebody who steals the reports, and then sees what the collector sees.",
    "adversary": "Whoever tries to guess answers. It knows the mechanism and how common the answers are, and guesses "
    "as well as anybody can.",
    "promise|promises": "What a mechanism guarantees, whatever the data are and whoever looks.",
    "disclosed": "Sent in a way that proves the answer.",
    "exposed|exposure": "How well somebody’s answer can be guessed from the report, compared with a guess without it.",
    "blind guess|blind guessing|blind": "The best guess without any report: always the commonest answer, or any of "
    "them by somebody who does not know how common they are.",
    "guessed": "Named rightly by the best guess of somebody who knows the mechanism. What else they know, such as how "
    "common the answers are, stands beside it.",
    "told apart": "Who of two people holds the answer is decided rightly. 50 of 100 is pure chance.",
    "100 pairs": "Two people each, one with a sensitive answer and one without: in how many such pairs the right "
    "one is picked. 50 is pure chance.",
    "giver|givers": "Another answer of the same person that gives a sensitive one away: who knows it needs no report.",
    "surest hundredth|hundredth": "Of all people the hundredth part whom an attacker is surest of: how many of them do "
    "hold a sensitive answer.",
    "hidden question|hidden questions": "A question whose sensitive answers go through a mechanism before they are "
    "sent. Open questions are answered as they are.",
    "false report|false reports": "A report that no mechanism drew: somebody wrote it to move a share. It counts as a "
    "person, and can move a share by more than one.",
    "strata|stratum": "Parts of all people, such as regions, within each of which people were drawn by themselves.",
    "scheme": "Who answers which questions: everybody all of them, or each person one, drawn openly by lot.",
    "odds": "How much likelier one thing is than another, such as 3 to 1.",
    "odds ratio": "The odds of an answer in one group over those in another: 1 where both have it as often.",
    "prior|priors": "What is known before any report is seen: how common each answer is.",
    "posterior": "What is known once the noisy numbers are seen: for every count, how likely it is the truth.",
    # errors
    "±": "The margin on either side within which 95 of 100 surveys fall, unless “typical error” is written. Choosing "
    "the people counts only where that is said.",
    "typical error": "How far off a survey usually is: about two of three surveys are nearer. The root of the mean "
    "squared error.",
    "√MSE|√(MSE)": "How far off a survey usually is, in the units of what is estimated: the root of the mean squared "
    "error.",
    "MSE|mean squared error|squared error": "How wrong something is, where large errors count more than small ones: "
    "the mean of the squared distance from the truth, over surveys and values.",
    "points": "Percentage points: from 3 % to 5 % are 2 points.",
    "standard deviation|standard error|spread": "How far an estimate typically falls from its own mean.",
    "variance": "How much something changes from survey to survey: the square of the standard deviation.",
    "bias": "How far an estimate is off on average, always in the same direction.",
    "unbiased": "Neither too high nor too low on the whole: on average over many surveys exactly right.",
    "band": "Where 95 of 100 surveys lie, by theory.",
    "limit": "What nobody can beat: the least error that any mechanism with the same promise can have. See what it is "
    "averaged over.",
    "repetitions|repetition": "How many surveys are simulated. More of them make the marks on a chart surer.",
    "EM|maximum likelihood": "The answer that fits the reports best: the distribution under which they are likeliest, "
    "found by expectation maximisation. It has no closed form, and a bias for small shares.",
    "norm-sub": "The nearest shares that are possible: small ones are cut at 0, all others lowered by the same amount.",
    "norm": "Negative shares become 0, then all are divided by their sum.",
    "base-cut": "Shares that an answer nobody holds could reach by chance become 0; the others stay as they are.",
    "composite": "A likelihood that takes the counts of the values as independent, which they are not quite: an "
    "approximation where only counts are kept.",
    "systematic": "The part of an error that more surveys would not remove: the bias, squared.",
    "clipped|clipping": "What lies outside of what is possible is moved to the nearest end.",
    "internal": "Computed from the true answers. Who publishes it gives the truth away.",
    "post-processing": "Whatever is done to reports after they were sent. It can cost nobody privacy.",
    "density": "How tightly answers lie in a place: per unit of the axis, how likely one is found there.",
    "atom": "One exact value that a report takes with a chance of its own, beside all values in between.",
    # sets and itemsets
    "m =": "How many items a report is about. Longer sets are sampled, shorter ones padded.",
    "dummies|dummy": "Invented items that fill short sets up, so that nobody sees how many are held.",
    "padding|padded": "Filled up to a fixed size with what counts for nothing: a short set with invented items, "
    "cells of a range with empty ones.",
    "y₀": "The part of a report that hides the marked items: a number that many different sets could have sent.",
    "undisclosed slot": "The place in a report that says “none of the unmarked ones”.",
    "presence": "Does this person hold any marked item? Guessed where yes and no are as likely beforehand.",
    "membership": "Does this person hold this very item?",
    "bits|bit": "How much data one report is, in answers to yes-or-no questions.",
    "hash|hashing": "A public rule that turns items into a few numbers, so that many items share one.",
    "secret": "The most protected level: an ε of its own, never above that of private answers. Nobody can prove that "
    "somebody gave such an answer.",
    "private values|private value|private answers|private answer|private shares|private ones|private one": "Marked, "
    "but not secret: protected by the larger of two ε.",
    "keeps the levels|each level|three levels|the levels": "How much an answer is protected: public, private or "
    "secret, each by its own ε. No report may speak for an answer by more than its ε allows; a report may rule it out.",
    "decoys|decoy": "Answers that nobody gave, sent beside the true one to hide it.",
    "reservoir sampling": "A way to draw some of many items so that each has the same chance.",
    "itemsets|itemset": "Items, or answers, that the same people hold together.",
    "frequent": "Held together by at least as many people as the threshold asks for.",
    "baskets|basket": "All items of one person.",
    "min_count|threshold": "How many people must hold a set for it to count as frequent.",
    "F =": "How well the frequent sets were found, from 0 to 1: 2·found / (2·found + missed + false).",
    "precision": "Of the sets named as frequent, the share that is.",
    "recall": "Of the frequent sets, the share that was found.",
    "candidates|candidate": "Sets that a miner counts because their parts looked frequent.",
    "miner|miners": "A method that looks for itemsets.",
    "δ_MAE": "How far the counts are off on average: the mean absolute error, over the sets found or over all "
    "candidates.",
    "s =": "The part of the budget that one count is published with.",
    "booked": "ε as a miner’s authors add it up.",
    "by basket": "ε as the person with most items can move it, with the candidates taken as given.",
    "defended": "ε that can be proved for the whole release.",
    "coins|coin tosses": "What a miner that tosses coins instead of counting would find.",
    # means
    "public range": "The least and the greatest number that anybody may report, fixed before anybody answers.",
    "SDPM-25|SDPM-50|SDPM-75": "SDPM with so many percent of the public range marked, half of it at either end.",
    "SDGRR-25|SDGRR-50|SDGRR-75": "SDGRR with so many percent of the answers marked.",
    "personalised|personal": "Everybody marks their own answers, and needs not say which.",
    # clusters
    "K-modes": "Groups of people with similar answers: each group has a mode, and everybody belongs to the nearest.",
    "k =": "How many groups are looked for.",
    "starts alone": "Where every method begins: modes drawn at random, before anybody reports. Some people are in the "
    "right cluster by them already.",
    "modes|mode": "The commonest answer of a group, in every column.",
    "AC": "The share of people in matching groups, against K-modes from the same start.",
    "entropy": "How mixed groups are, in bits: 0 if each holds one true group only.",
    "rounds": "Once around: everybody sends the nearest group, and modes are found anew.",
    # weights
    "weighted by": "Everybody counts for as many people as the weight says. With uneven weights estimates err like "
    "those of fewer people: of Kish’s n, (Σ w)² / Σ w².",
    "design effect": "How many times as many people uneven weights need: their number over Kish’s n, "
    "1 + the squared variation of the weights.",
    # ranges
    "strategy|strategies": "Which sums are asked with noise. All ranges are then computed from those.",
    "N =": "Into how many cells the range is cut, a power of two.",
    "cells|cell": "The smallest ranges that are counted.",
    "Haar|wavelet": "Sums and differences of halves, quarters and so on. Any range needs only a few of them.",
    "accuracy index": "How fast the average error of a strategy grows as the cells get finer: with which power of the "
    "logarithm of N.",
    "Δ²c̄|c̄|Δ": "Δ: by how much one person more or less can change all sums together. c̄: the mean variance over all "
    "ranges, in units of 2Δ²/ε².",
    "h =": "How often the range is halved: N = 2^h cells.",
    "SVD bound": "What no strategy of this kind can beat on average: a lower limit from the singular values of all "
    "ranges.",
    "covariance": "How errors of two cells move together. Where they cancel, a range is more exact.",
    "consistent": "Sums are adjusted so that parts add up to their whole.",
    # relations
    "raw reports": "What reports name, taken for answers. Of two hidden answers such a table hides a relation, or "
    "invents one.",
    "relation|relations": "One answer is commoner among people with one answer to another question than among others.",
    "Cramér’s V": "How strong a relation is over all groups and answers: 0 for none, 1 at most.",
    "degrees of freedom|degree of freedom": "How many shares of a table can differ once both margins are known.",
    "MOVER": "The interval of a difference from those of its two sides (method of variance estimates recovery).",
    "Šidák": "Intervals that are a little wider each, so that all of them hold at once.",
    # frame
    "Study": "Everything that was chosen here: data, marks, mechanisms, ε. Link and file carry it.",
    "seed": "The number that all chance is drawn from: the same seed gives the same surveys.",
    "digest": "A fingerprint of the data: it tells whether a file is the one that was used.",
    "A | B": "Two settings of marks beside each other: what changes for whom.",
}
"""Underlined where they stand."""

EVERYDAY: Mapping[str, str] = {
    "mechanism|mechanisms": "The rule by which chance hides answers: on the phone, before they are sent, or with a "
    "trusted curator, who has them as they are, before something is published.",
    "report|reports": "What leaves the phone: the answer as the mechanism changed it; to a trusted curator, where "
    "there is one, the answer itself.",
    "survey|surveys|release|releases": "Everybody reports once, and what follows is published.",
    "noise|noisy": "Chance that is added on purpose, so that nobody can be sure of one answer.",
    "sensitive|marked|marks": "Answers that somebody chose to protect; all others may be seen.",
    "share|shares": "Of all people, how many gave an answer: in percent, or as a part of 1.",
    "error|errors": "How far what is published is from the truth.",
    "n =": "How many people there are.",
    "d =": "How many different answers or items there are.",
    "simulated": "Tried with invented reports from the loaded answers, as often as Repetitions says.",
    "theory|by theory": "Computed by a formula, without trying.",
    "distribution": "How common each answer is, for all of them together.",
    "histogram": "A chart of how common each answer is, or each range of numbers.",
    "record|records": "All answers of one person.",
}
"""Words that everybody knows and that mean something exact here: the list at the foot of a page has them, and nothing
is underlined.
"""


HOW: Mapping[Construction, str] = {
    Construction.SYMBOL: "Sends the true answer or, by chance, another one.",
    Construction.BITS: "Sends a yes or no for every value, each of them turned over by chance.",
    Construction.OPTIMISED_BITS: "Sends a yes or no for every value: a wrong yes is rare, the true one is sent half of "
    "the time.",
    Construction.HASH: "Groups the values by a public lottery and sends a group, by chance a wrong one.",
    Construction.SUBSET: "Sends a handful of values, more often with the true one among them.",
    Construction.PAIR: "Sends one report of both answers, which may show the one that is not marked.",
    Construction.RING: "Places the values on a wheel by a public lottery and sends a point of it, more often one near "
    "a true value.",
    Construction.TRANSFORM: "Sends the number of one of many fixed groups of values, more often of one with the true "
    "value in it.",
    Construction.NOISE: "Adds a random number.",
    Construction.ONE_BIT: "Sends one of two numbers, the one nearer to the true number more often.",
    Construction.WINDOW: "Sends a random number, more often one from a window around the true one.",
    Construction.SQUARE_WAVE: "Sends a random number, more often one from a window of fixed width around the true one.",
    Construction.MIXTURE: "Tosses a coin: sends one of two numbers, or one from a window around the true one.",
    Construction.THREE_VALUES: "Sends one of three numbers.",
    Construction.FITTED_TABLES: "Adds noise to tables of two columns each and fits one table to all of them: everybody "
    "is in one cell of each. Strong where all people answer the same few questions, no use for lists of many items.",
    Construction.CELLS: "Adds noise to the count of every cell.",
    Construction.TREE: "Adds noise to the counts of cells and of ever larger groups of cells.",
    Construction.CONSISTENT_TREE: "Adds noise to the counts of cells and of ever larger groups, then makes the sums "
    "agree.",
    Construction.WAVELET: "Adds noise to the differences between one half and the other, of ever smaller pieces.",
    Construction.SEARCHED: "Tries all groupings of the cells and takes the one that errs least.",
}
"""How a mechanism, or a strategy for ranges, works. Other miners, and clusterings, say it by their labels."""

HIDES: Mapping[Coverage, str] = {
    Coverage.EVERY: "It hides every answer.",
    Coverage.MARKED: "It hides the marked answers only.",
    Coverage.WEAKER: "Its promise is weaker than it looks.",
    Coverage.NONE: "It hides nothing.",
}

ORDINARY = frozenset({"Boost", "Capped", "Flat", "Fresh", "Graded", "Local", "Marginals", "Pairs", "Tables", "Wheel"})
"""Names that are words: they are explained where a mechanism is called so, on the pages of its task."""

CURATOR = "A trusted curator sees all answers as they are; what is published hides everybody."
"""The same in the central model."""

MINERS: Mapping[str, str] = {
    "Apriori": "Publishes all frequent sets with their exact counts.",
    "DFDP": "Counts the sets that the true counts leave possible, and adds noise to each count.",
    "SmartTrunc": "Cuts baskets to a few items, and adds noise to the counts of sets that were chosen with noise.",
    "Laplace Apriori": "Adds noise to the counts of ever longer sets, as much as the longest basket asks for.",
    "Capped": "Lets a basket add only so much to all counts together, adds noise, and takes what is likely frequent.",
    "PrivBasis": "Chooses a dozen common items with noise, and adds noise to the counts of all their combinations.",
    "Local": "Nobody is trusted: each person sends one changed answer, and sets are built from what is common.",
}
"""How a miner works, by its name; others say it by their construction."""

LEVELS = "It hides every marked answer by the ε of its level, secret ones most; public ones may be sent as they are."
"""The same of a mechanism in which every value has its own ε."""
