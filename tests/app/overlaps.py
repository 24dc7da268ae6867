"""What lies across something else on a page: text that nobody can read passes every other test."""

FEW = 10
"""Pixels by which neighbours may reach into one another: a table's frame, a line's descenders."""

_ACROSS = """few => {
    const seen = {opacityProperty: true, visibilityProperty: true};
    const shown = each => each.checkVisibility(seen) && !each.closest('details:not([open]) > :not(summary)');
    // From the top of what an element holds to its bottom, cut where something scrolls.
    const extent = element => {
        const own = element.getBoundingClientRect();
        let [top, bottom] = [Infinity, -Infinity];
        for (const each of element.querySelectorAll('*')) {
            const box = each.getBoundingClientRect();
            const leaf = !each.children.length || each.matches('svg, p');
            if (!leaf || box.width < 3 || box.height < 3 || !shown(each)) continue;
            if (getComputedStyle(each).position === 'fixed') continue;
            let [from, to] = [box.top, box.bottom];
            for (let outer = each.parentElement; outer && outer !== element; outer = outer.parentElement)
                if (getComputedStyle(outer).overflowY !== 'visible') {
                    const cut = outer.getBoundingClientRect();
                    [from, to] = [Math.max(from, cut.top), Math.min(to, cut.bottom)];
                }
            [top, bottom] = [Math.min(top, from), Math.max(bottom, to)];
        }
        return {element, left: own.left, right: own.right, top, bottom};
    };
    const leaves = [...document.querySelectorAll('[data-testid="stMain"] .stElementContainer')]
        .filter(each => !each.querySelector('.stElementContainer') && shown(each)).map(extent);
    const named = ({element}) => (element.innerText || element.className).slice(0, 50);
    const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > few
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > few;
    return leaves.flatMap((a, i) => leaves.slice(i + 1).filter(b => across(a, b)).map(b => [named(a), named(b)]));
}"""


def across(page) -> list[list[str]]:
    """Pairs of elements of the page that cover one another."""
    return page.evaluate(_ACROSS, FEW)
