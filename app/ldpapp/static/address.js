// The address says what the page shows. What is told of a page that was left meanwhile is not said of the next one.
export default function ({ data }) {
  if (location.pathname.split("/").pop() !== data.page) return;
  const said = new URLSearchParams(data.query);
  const claim = new URLSearchParams(location.search).get("claim");
  const paper = document.querySelector(".claims")?.dataset.paper;
  // Which claim is open only the browser knows (screen.js): it stays while its paper is looked at.
  if (claim && data.page === "papers" && (!paper || claim.startsWith(`${paper}-`))) said.set("claim", claim);
  const query = said.size ? `?${said}` : "";
  if (location.search !== query) history.replaceState(history.state, "", location.pathname + query + location.hash);
}
