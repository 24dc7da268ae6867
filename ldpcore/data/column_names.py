"""What the name of a column says of it, in the languages of many surveys. Its shape decides beside it."""

import re
from collections.abc import Sequence

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-zß-öø-ÿā-ž]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_WEIGHT = frozenset((
    "weight", "weights", "wt", "wts", "wgt", "wgts", "wgtp", "weighting", "gewicht", "gewichte", "gewichtung",
    "hochrechnung", "hochrechnungsfaktor", "poids", "ponderation", "pondération", "peso", "pesos", "ponderacion",
    "ponderación", "ponderador", "factorexp", "expansion", "expansión", "ponderacao", "ponderação", "pesatura",
    "fexp", "pweight", "fweight", "aweight", "pwt", "rakewt", "rakedwgt", "vikt", "vægt", "vekt", "waga", "paino",
    "hochrechnungsfaktoren", "hrf", "pond", "redressement", "coefpond", "ponderatore", "weegfactor", "wegingsfactor",
    "weging", "вес", "взвешивание", "ağırlık", "wagi", "权重", "加权", "ウェイト",
    "pondere", "ponderare", "ponder", "ważenie", "súly", "súlyozás", "váha", "váhy", "vážení", "viktning", "vægtning",
    "vekting", "painokerroin", "painotus", "utež", "uteži", "βάρος", "στάθμιση", "ваги", "зважування", "bobot", "重み",
))  # fmt: skip
_OF_A_BODY = frozenset((
    "weight", "weights", "wt", "wts", "wgt", "wgts", "gewicht", "gewichte", "poids", "peso", "pesos", "vikt", "vægt",
    "vekt", "waga", "paino", "вес", "ağırlık", "súly", "váha", "βάρος", "bobot", "重み",
))  # fmt: skip
"""Those that a body has, too: alone they do not tell."""
_OF_A_SURVEY = frozenset((
    "final", "sample", "sampling", "survey", "person", "household", "design", "post", "base", "raked", "raking",
    "nonresponse", "analysis", "calibrated", "cal", "norm", "normalized", "normalised", "stud", "student", "hh",
    "hhold", "pop", "population", "grossing", "longitudinal", "cross", "total", "ps", "std",
))  # fmt: skip
"""What weights of a survey are called, and those of a body are not."""
_COUNTS = frozenset((
    "freq", "frequency", "frequencies", "count", "counts", "n", "anzahl", "häufigkeit", "haeufigkeit", "fälle",
    "nombre", "effectif", "effectifs", "frecuencia", "cantidad", "frequencia", "frequência", "quantidade",
    "contagem", "frequenza", "conteggio", "aantal", "antal", "liczba", "people", "persons", "respondents", "cases",
    "obs", "observations", "nobs", "人数", "频数", "数量", "計", "件数", "度数", "количество", "число", "частота",
    "عدد",
))  # fmt: skip
_CODES = frozenset((
    "code", "codes", "cd", "zip", "zipcode", "postcode", "postal", "plz", "cp", "fips", "statefip", "statefips",
    "county", "countyfips", "countyfip", "state", "region", "district", "province", "puma", "msa", "cbsa",
    "metarea", "tract", "country", "bezirk", "kreis", "gemeinde", "ags", "land", "kommune", "département", "dept",
    "occ", "occupation", "occ2010", "ind", "industry", "naics", "sic", "isco", "isic", "icd", "cpt", "ndc", "soc",
    "noc", "atc", "icpsr", "geo", "geoid", "geocode", "kennziffer", "schlüssel", "schluessel", "codigo", "código",
    "clave", "municipio", "entidad", "ubigeo", "cod", "codice", "provincia", "comune", "insee", "kod", "код", "代码",
    "编码", "コード",
))  # fmt: skip
_PERSON = frozenset((
    "person", "patient", "respondent", "participant", "subject", "customer", "client", "member", "user", "student",
    "employee", "teilnehmer", "befragter", "patientin", "proband", "versicherter", "kunde", "personne", "répondant",
    "usager", "cliente", "paciente", "encuestado", "participante", "sujeto", "folio", "utente", "paziente",
    "deelnemer", "respondentid", "caseid", "患者", "编号", "会员", "用户", "受访者", "客户", "顧客",
    "пациент", "клиент",
))  # fmt: skip
_BASKETS = frozenset((
    "order", "basket", "cart", "receipt", "invoice", "transaction", "session", "ticket", "bestellung", "beleg",
    "bon", "rechnung", "auftrag", "warenkorb", "commande", "panier", "facture", "pedido", "factura", "compra",
    "ordine", "scontrino", "заказ", "чек", "paragon", "paragonu", "rachunek", "zamówienie", "zamowienie", "kassabon",
    "bestelling", "kvitto", "kvittering", "ordre", "recibo", "cupom", "sipariş", "siparis", "fiş", "fatura", "ticketid",
    "orderid", "invoiceno", "receiptno",
))  # fmt: skip
_ITEMS = frozenset((
    "item", "items", "product", "article", "stockcode", "movie", "film", "book", "song", "track", "game", "drug",
    "medication", "diagnosis", "course", "app", "artikel", "produkt", "ware", "medikament", "produit", "médicament",
    "producto", "artículo", "articulo", "medicamento", "prodotto", "articolo", "produto", "товар", "продукт",
    "description", "productname", "itemname", "towar", "pozycja", "vara", "vare", "tuote", "ürün", "urun",
))  # fmt: skip
_QUESTIONS = frozenset((
    "question", "questions", "variable", "var", "attribute", "indicator", "measure", "parameter", "frage", "merkmal",
    "pregunta", "variavel", "variável", "pergunta", "domanda", "vraag", "pytanie", "вопрос",
))  # fmt: skip
_NO_ITEM = frozenset((
    "category", "price", "cost", "quantity", "qty", "amount", "count", "number", "count", "total", "date", "menge",
    "preis", "prix", "cantidad",
))  # fmt: skip
_SHORT = re.compile(r"(p|h|s|f)w(gt|t)p?\d*|w(gt|t)p?\d*|pw\d*|fnlwgt|v005")
"""Names that some surveys give their weights: PWGTP, HWT, WTP2 …"""
_CJK = {"counts": ("人数", "频数", "数量", "件数", "度数"), "codes": ("代码", "编码", "コード"),
        "person": ("编号", "会员", "用户", "患者", "受访者", "客户", "单号", "顧客"),
        "weights": ("权重", "加权"), "items": ("商品", "产品", "品名", "상품", "제품"),
        "baskets": ("订单", "单号", "小票", "注文", "伝票", "주문", "영수증")}  # fmt: skip


def words(name: str) -> list[str]:
    """The words of a name: "wtFinal_2" and "wt-final-2" have the same."""
    return [word.casefold() for word in _WORDS.findall(name)]


def is_weight(name: str) -> bool:
    """Does it speak of a weight, of a survey or of a body?"""
    return any(_is_weight_word(word) for word in words(name)) or any(sign in name for sign in _CJK["weights"])


def is_survey_weight(name: str) -> bool:
    """Does it speak of the weight of a survey alone: "finalwt", "PWGTP", "sample_weight", "Hochrechnungsfaktor"?"""
    parts = words(name)
    joined = "".join(parts)
    if any(sign in name for sign in _CJK["weights"]) or _SHORT.fullmatch(joined):
        return True
    if any(word in _WEIGHT and word not in _OF_A_BODY for word in parts):
        return True
    named = [word for word in parts if not _is_weight_word(word)]
    prefixed = any(joined.startswith(word) or joined.endswith(word) for word in _OF_A_SURVEY)
    return is_weight(name) and (prefixed or bool(_OF_A_SURVEY & set(named)))


def _is_weight_word(word: str) -> bool:
    return word in _WEIGHT or re.fullmatch(r"(\w*[^aeiou])?(wgtp?|wght)|\w*(weight|gewicht|wt)", word) is not None


def is_count(name: str) -> bool:
    return bool(_COUNTS & set(words(name))) or any(sign in name for sign in _CJK["counts"])


def is_code(name: str) -> bool:
    return bool(_CODES & set(words(name))) or any(sign in name for sign in _CJK["codes"])


def is_person(name: str) -> bool:
    """Does it tell people apart: "patient_id", "Member_number", "ID"?"""
    parts = words(name)
    return (
        bool(_PERSON & set(parts))
        or "".join(parts) in ("id", "pid", "uid", "caseid", "recordid", "respid", "hhid", "idno", "idnr")
        or any(sign in name for sign in _CJK["person"])
    )


def is_basket(name: str) -> bool:
    """Does it tell receipts apart, if not people?"""
    return bool(_BASKETS & set(words(name))) or any(
        sign in name for sign in ("订单", "单号", "小票", "注文", "伝票", "주문", "영수증")
    )


def is_item(name: str) -> bool:
    """Does it name what is in a basket, and no amount or kind of it?"""
    parts = set(words(name))
    return (
        bool(_ITEMS & parts) or any(sign in name for sign in ("商品", "产品", "品名", "상품", "제품"))
    ) and not _NO_ITEM & parts


def is_question(name: str) -> bool:
    """Does it hold the names of questions, of which each row answers one?"""
    return bool(_QUESTIONS & set(words(name))) or any(sign in name for sign in ("问题", "題目", "质問", "質問"))


def are_numbered(names: Sequence[str]) -> bool:
    """Do they count up: 1, 2, 3 or P001, P002, P004, whatever stands before the number?

    >>> are_numbered(["P1", "P2", "P4"]), are_numbered(["age", "sex", "q3"])
    (True, False)
    """
    parts = [re.fullmatch(r"(\D*?)[\s_-]*(\d+)", name.strip()) for name in names]
    numbered = [(part[1], int(part[2])) for part in parts if part]
    numbers = [number for _, number in numbered]
    return (
        len(numbered) == len(names) > 1
        and len({start for start, _ in numbered}) == 1
        and numbers == sorted(set(numbers))
    )
