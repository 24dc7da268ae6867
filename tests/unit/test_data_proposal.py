"""What is proposed for marking: delicate words first, else what is rare; of numbers, the upper end of their range."""

import numpy as np

from ldpcore.data import Histogram, load, proposed, rare, rarest, upper_end
from ldpcore.data.baskets import collect
from ldpcore.data.proposal import MOST, is_delicate
from ldpcore.domain import Categorical, Interval
from ldpcore.study import fitting
from tests.each import for_each


def counted(**people: int) -> Histogram:
    counts = np.array(list(people.values()))
    return Histogram(Categorical(people), counts, int(counts.sum()), 0)


def test_delicate_items_are_proposed_but_never_a_plain_no():
    labels = ["pregnancy = no", "pregnancy = yes", "HIV", "drug = never", "tea"]
    held = collect([0, 1, 2, 3, 4, 0, 1], [0, 1, 2, 3, 4, 4, 4], 5, labels)
    found = proposed(held)
    assert found.values == ("pregnancy = yes", "HIV")
    assert found.why == ("delicate", "delicate")
    assert found.delicate


def test_without_delicate_words_the_rarest_items_are_proposed():
    people = np.arange(1000)
    held = collect(np.r_[people, 1, 2, 3], np.r_[people * 0, 1, 2, 2], 1000, ["tea", "salt", "rice"])
    found = proposed(held)
    assert found.values == ("salt", "rice"), "the rarest first"
    assert found.why == ("rare", "rare")
    assert not found.delicate


def test_of_answers_the_column_says_what_a_yes_means():
    answers = counted(no=900, yes=100)
    assert proposed(answers, "pregnancy").values == ("yes",)
    assert proposed(answers, "smoker").values == ()


def test_of_a_conviction_every_answer_is_proposed():
    """Nobody has to name parties or faiths: the question says it. How large a party is, is a number."""
    answers = counted(Centre=500, National=300, Greens=200)
    answers_and_none = counted(Centre=500, National=300, refused=200)
    assert proposed(answers, "party").values == ("Centre", "National", "Greens")
    assert proposed(answers, "voted_for").delicate
    assert proposed(answers_and_none, "party").values == ("Centre", "National")
    assert proposed(answers, "district").values == ()
    assert proposed(counted(**{"2": 500, "3": 300, "4": 200}), "party size").values == ()


def test_a_total_and_a_gap_are_nobodys_answer():
    """Of a table of sums, one row is too few or too many to be what it counts: none is offered as an answer."""
    answers = counted(**{"red": 900, "blue": 95, "green": 5, "Summe": 1, "Grand total": 2, "(missing)": 3})
    assert rarest(answers) == "green"
    assert rare(answers) == ("green",)
    assert proposed(answers).values == ("green",)
    assert rarest(counted(Summe=3)) == ""


def test_where_a_delicate_question_can_be_denied_all_else_is_proposed():
    """Of "self-harm" once and several times, of "drugs" what no list knows; all, where no answer says which."""
    answers = {"never": 800, "once": 120, "several times": 80, "(missing)": 9}
    assert proposed(counted(**answers), "self-harm").values == ("once", "several times")
    assert proposed(counted(none=900, pills=60, cannabis=40), "drugs").values == ("pills", "cannabis")
    assert proposed(counted(**answers), "sport").why[:1] != ("delicate",)
    assert proposed(counted(daily=900, weekly=100), "drugs").values == ("daily", "weekly")
    assert proposed(counted(good=700, poor=300, **{"(missing)": 9}), "mental_health").values == ("good", "poor")
    assert proposed(counted(normal=700, obese=300), "weight").values == ("obese",), "a word of an answer says which"
    assert proposed(counted(none=700, one=200, several=100), "medication_errors").values == ("one", "several")
    assert proposed(counted(never=700, weekly=100), "sleeping_pills").values == ("weekly",)
    assert proposed(counted(stay=700, leave=200, unsure=100), "plans to leave").values == ("leave", "unsure")
    assert proposed(counted(**{"61": 500, "70": 300, "84": 200}), "weight").values == ()


@for_each(
    ("label", "column", "expected"),
    [
        ("HIV", "", True),
        ("HIV", "condition", True),
        ("none", "drugs", False),
        ("never", "drugs", False),
        ("daily", "drugs", False),
        ("condition = lung cancer", "", True),
        ("sexual assault", "victim of", True),
        ("cancerous", "", False),
        ("no", "", False),
        ("yes", "", False),
    ],
)
def test_delicate_words(label, column, expected):
    assert is_delicate(label, column) == expected


DRUGS = """
alcohol dependence; crack cocaine; Cocaine; heroin; Heroin use, past year; fentanyl; illegally made fentanyl;
methadone; buprenorphine; oxycodone; hydrocodone or opioids; opiates; Morphin; prescription opioids; codeine;
tramadol; marijuana; Marihuana; cannabis; Cannabis resin; hashish; Haschisch; THC; synthetic cannabinoids;
amphetamine; Amphetamine; amphétamines; anfetaminas; methamphetamine; crystal meth; MDMA; ecstasy; LSD; PCP; GHB;
DMT; ketamine; Ketamin; psilocybin; peyote; mescaline; Salvia divinorum; hallucinogens; inhalants; kratom; khat;
benzodiazepines; barbiturates; sedatives; tranquilizers; tranquillisers; stimulants; Kokain; cocaína; cocaïne;
héroïne; heroína; Opioide; opioïdes; opiáceos; Drogen; drogue; injecting drug use
""".replace("\n", " ").split("; ")
"""As the National Survey on Drug Use and Health (2022) and ICD-10 F10–F19 name them; German, French, Spanish."""
HABITS = """
alcohol; Alkohol; Alkoholkonsum; alcool; alcoolisme; consumo de alcohol; drinking; heavy drinking; drinks per week;
binge drinking; trinken; betrunken; boire; ivresse; beber; borrachera; embriaguez; gambling; problem gambler;
sports betting; Glücksspiel; Spielsucht; Sportwetten; jeux d'argent; jeux de hasard; paris sportifs; juegos de azar;
ludopatía; apuestas; weight; overweight; underweight; body weight; BMI; Körpergewicht; Übergewicht; untergewichtig;
Adipositas; poids; surpoids; obésité; obèse; sobrepeso; obesidad; peso corporal
""".replace("\n", " ").split("; ")
"""Drinking, gambling and weight; German, French, Spanish."""
DIAGNOSES = """
Gonococcal infection; gonorrhoea; Chlamydial infection; syphilis, late; Trichomoniasis; chancroid; anogenital
herpes; HPV infection; genital warts; tuberculosis; hepatitis C; HIV disease; schizophrenia; schizoaffective
disorder; acute psychosis; manic episode; bipolar disorder; depressive episode; Dysthymia; panic disorder;
agoraphobia; social phobias; obsessive-compulsive disorder; post-traumatic stress disorder; PTSD; anorexia nervosa;
bulimia; personality disorder; autism; Asperger syndrome; ADHD; dementia in Alzheimer disease; intellectual
disability; epilepsy; Parkinson disease; Huntington disease; multiple sclerosis; leukaemia; lymphoma; malignant
melanoma; carcinoma in situ; infertility; erectile dysfunction; urinary incontinence; stillbirth; medical abortion;
alcoholic cirrhosis of liver; obesity; self-harm
""".replace("\n", " ").split("; ")
"""As ICD-10 names them: A15, A50–64, B18–24, C, F, G, N, O, Z."""
AT_WORK = """
sleep apnoea; sleep apnea; insomnia; narcolepsy; fell asleep;
antidepressant; anti-depressants; antipsychotic; antiretroviral therapy; lithium; SSRIs; Ritalin; chemotherapy;
hormone therapy; plans to leave; intention to quit; wants to resign; sick leave; sick days; Krankenstand; Kündigung;
arrêt maladie; baja médica; drop out; dropped out; bribery; bribes; corruption; Bestechung; racist remarks; racism;
Rassismus; sexist jokes; antisemitism; hate speech; mobbing; plagiarism; cheated in exams
""".replace("\n", " ").split("; ")
"""What is taken, and what an employer would like to know."""
PLAIN = """
heroine; spice tins; maniac; crackers; cracked pepper; popcorn; method; Methodist; hash browns; potato; hospital;
sedan; opinion; opera; cocoa; drinking water; Trinkwasser; soft drinks; gamboling; paperweight; lightweight tent;
Mexican peso; poids lourd; obsession; spielen; wetter; coconut; cooking; dramatic; stylist; student; studio;
bed for the night; lithograph; planned leave; annual leave; homesick; bride; tribe; drop; raisin; race; sextant;
school outing; cheaper; prisoner's dilemma club
""".replace("\n", " ").split("; ")[:-1]


@for_each("name", [*DRUGS, *HABITS, *DIAGNOSES, *AT_WORK])
def test_lists_of_drugs_and_diagnoses_are_delicate(name):
    assert is_delicate(name.strip())


@for_each("name", PLAIN)
def test_what_only_looks_like_them_is_not(name):
    assert not is_delicate(name.strip())


@for_each("question", ["union_member", "trade union", "union", "Gewerkschaft", "syndicat", "sindicato"])
def test_every_answer_about_a_union_is_delicate(question):
    """GDPR, article 9; the European Union is none."""
    answers = counted(yes=50, no=40, former=10)
    assert set(proposed(answers, question).values) == {"yes", "no", "former"}
    assert not proposed(answers, "attitude to the European Union").delicate


def test_a_question_called_drinks_asks_how_often():
    assert set(proposed(counted(daily=50, weekly=40, never=100), "drinks").values) == {"daily", "weekly"}
    assert not is_delicate("hot drinks")


def test_the_commonest_delicate_answers_come_first_and_not_too_many():
    many = {f"cancer {i}": i + 1 for i in range(30)}
    found = proposed(counted(**many))
    assert found.values == tuple(f"cancer {i}" for i in range(29, 29 - MOST, -1))


def test_what_nobody_or_everybody_answers_is_not_proposed():
    """There is nothing to hide in either; a button that marks all rare answers marks the former too."""
    nobody = counted(flu=1000, HIV=0, rubella=1)
    assert proposed(nobody).values == ("rubella",)
    assert rare(nobody) == ("HIV", "rubella")
    everybody = collect([0, 1, 2], [0, 0, 0], 3, ["HIV", "tea"])
    assert proposed(everybody).values == ()


def test_rare_is_below_one_in_a_hundred_of_the_people():
    assert rare(counted(a=989, b=10, c=1)) == ("c",)
    assert rare(counted(a=1000, b=10, c=1)) == ("b", "c")


def test_bundled_data_have_a_proposal():
    found = proposed(load("health").categorical("condition"), "condition")
    assert {"HIV", "cancer"} <= set(found.values)
    assert "none" not in found.values


def test_the_upper_end_does_not_depend_on_anybody():
    assert upper_end(Interval(-20, 60)) == (40, 60)


def test_the_result_of_a_test_is_delicate_and_its_spelling_does_not_matter():
    results = counted(**{"negative": 800, "positive": 35, "Positive": 2, "never tested": 100})
    assert set(proposed(results, "hiv_test").values) == {"positive", "Positive"}
    assert set(proposed(results, "covid").values) == set(), "neither a delicate topic nor rare"


def test_a_misspelt_answer_is_not_rare():
    places = counted(**{"north": 700, "South": 300, "south": 2, "NORTH ": 1, "island": 3})
    assert proposed(places, "region").values == ("island",)


def test_of_numbers_with_a_few_odd_answers_none_is_proposed():
    ages = {str(age): 15 for age in range(18, 70)} | {"24y": 2, "about 30": 1}
    assert proposed(counted(**ages), "age").values == ()


def test_a_file_opens_on_the_question_that_is_delicate(tmp_path):
    """Of those with categories; a bundled file on what it is mainly about."""
    lines = [
        "region,age,harassment,hiv",
        *(f"{'ns'[i % 2]},{20 + i % 50},{'yn'[i % 3 == 0]},{'yn'[i % 5 == 0]}" for i in range(200)),
    ]
    (tmp_path / "ward.csv").write_text("\n".join(lines), encoding="utf-8")
    assert fitting.default_countable(load(str(tmp_path / "ward.csv"))) == "harassment"
    assert fitting.default_countable(load("census")) == load("census").card.default_column
