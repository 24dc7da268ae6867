// The address says what the page shows. What is told of a page that was left meanwhile is not said of the next one.
export default function ({ data }) {
  if (location.pathname.split("/").pop() !== data.page) return;
  const query = data.query ? `?${data.query}` : "";
  if (location.search !== query) history.replaceState(history.state, "", location.pathname + query + location.hash);
}
