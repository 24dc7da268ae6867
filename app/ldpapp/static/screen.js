// What only the browser knows or does: how large the screen is, keys, and a chart as a picture. Nothing leaves the page.

const STEP = 0.25;
const NARROW = 640;

// How many times 1280×720 the window holds, in steps; a narrower one is as it is.
function fits() {
  const times = Math.min(window.innerWidth / 1280, window.innerHeight / 720);
  return Math.max(1, Math.floor(times / STEP + 0.02) * STEP);
}

// Who has seen the welcome is led from the bare address to the page they were on: its name, and nothing else, is kept
// here in the browser. A link opens what it names.
const LAST = "ldpcore.last";
function remembered(page) {
  try {
    if (page) localStorage.setItem(LAST, page);
    return localStorage.getItem(LAST);
  } catch {
    return null; // a browser that keeps nothing shows the welcome every time
  }
}

function arrive(lead) {
  const page = location.pathname.split("/").pop();
  const first = !window.ldpcoreArrived;
  window.ldpcoreArrived = true;
  const last = remembered();
  if (page) last && last !== page && remembered(page);
  else if (first && !location.search && last) lead(last);
  else if (!last) remembered("overview");
}

// Plotly draws a chart in several layers; a picture is one.
function drawing(chart) {
  const layers = chart.querySelectorAll("svg.main-svg");
  const { width, height } = layers[0].getBoundingClientRect();
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.setAttribute("width", width);
  picture.setAttribute("height", height);
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.querySelector(".stApp")).backgroundColor);
  picture.append(ground);
  for (const layer of layers) for (const node of layer.children) picture.append(node.cloneNode(true));
  return { text: new XMLSerializer().serializeToString(picture), width, height };
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function picture(button) {
  const chart = document.querySelector(`.st-key-${CSS.escape(button.dataset.chart)} .js-plotly-plot`);
  if (!chart) return;
  const { text, width, height } = drawing(chart);
  const vector = new Blob([text], { type: "image/svg+xml" });
  if (button.dataset.picture === "svg") return save(vector, `${button.dataset.name}.svg`);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width * 2, height * 2];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, `${button.dataset.name}.png`), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

const NAVIGATION = "[data-testid=stTopNavLink], [data-testid=stSidebarNavLink], [data-testid=stPageLink-NavLink]";
const address = (link) => new URL(link.href).pathname.split("/").pop();
const main = () => document.querySelector("[data-testid=stMain]");

// Which of the navigation's groups a link belongs to: seen as a label above its first link, said by every one of them.
function grouped(groups) {
  for (const link of document.querySelectorAll(NAVIGATION)) {
    const group = groups[address(link)];
    if (group && link.title !== group) link.title = group;
  }
}

const app = () => document.querySelector("[data-testid=stApp]");
const AT_REST = 3; // looks (`watching`) at a script that does not run

// The old page stays until the script, which may be in the midst of a long step, begins the new one: hide it now.
function leave(link, working) {
  const page = address(link);
  window.ldpcoreWay = { page, idle: 0, again: window.ldpcoreWay?.page === page };
  app().dataset.leaving = page;
  main().dataset.leaving = working.replace("{page}", link.innerText.trim());
  main().scrollTo(0, 0);
}

function stay() {
  window.ldpcoreWay = null;
  delete app().dataset.leaving;
  delete main().dataset.leaving;
}

// A click while the old page asks for its own redraw can be lost: Streamlit then ends where it was. Once more, or stay.
function follow() {
  const way = window.ldpcoreWay;
  if (!way) return;
  way.idle = app().dataset.testScriptState === "notRunning" ? way.idle + 1 : 0;
  if (way.idle < AT_REST) return;
  const link = [...document.querySelectorAll(NAVIGATION)].find((each) => address(each) === way.page);
  if (link && !way.again) link.click();
  else stay();
}

// What draws charts takes a second to load: so it does while the first page is being made, when the browser rests. A
// page that needs it sooner asks for the same file.
function prepare(file) {
  const own = document.querySelector('script[type="module"][src]')?.src;
  if (!file || !own || window.ldpcorePrepared) return;
  window.ldpcorePrepared = true;
  const load = () => import(new URL(file, own).href).catch(() => {});
  window.requestIdleCallback ? requestIdleCallback(load) : setTimeout(load, 200);
}

// How a page stands (screen.py). What is neither is one panel alone.
const [WHOLE, PROJECTOR] = ["whole", "projector"];
const TRIES = 9; // then nobody hears

const typing = (target) => target.closest?.("input, textarea, select, [contenteditable], [role=combobox], [role=slider]");

// A key presses the button that is named after it (press_1, press_arrowright), where the page has one. A presenter's
// remote control sends the page keys.
const TURNING = "[class*=st-key-press_arrow]";
const TURNS = { pagedown: "arrowright", pageup: "arrowleft" };
function press(event) {
  const key = event.key.toLowerCase();
  const name = CSS.escape(TURNS[key] ?? key);
  const button = document.querySelector(`.st-key-press_${name} button:not(:disabled), a[data-press="${name}"]`);
  if (!button || event.repeat) return;
  event.preventDefault();
  button.click();
}

// A teacher's notes: a window of its own, not a tab before the class, and one for all lessons, which is not loaded anew.
// Where the browser opens none, the link does what links do.
function apart(event, link) {
  const own = window.open("", "ldpcore-notes", "popup,width=760,height=560");
  if (!own) return;
  event.preventDefault();
  if (own.location.href !== link.href) own.location.href = link.href;
  own.focus();
}

export default function ({ data, setStateValue, setTriggerValue }) {
  prepare(data.charts);
  grouped(data.groups);
  if (app().dataset.leaving === data.page) stay();
  let told = data.scale;
  let toldNarrow = data.narrow;
  let waiting;
  const root = document.documentElement;
  root.style.removeProperty("font-size"); // the style that came with this scale says it
  const tell = () => {
    if (window.innerWidth <= NARROW !== toldNarrow) setStateValue("narrow", (toldNarrow = !toldNarrow));
    if (fits() === told) return;
    // At once, for Streamlit's tables: a canvas reads how large its type is while it is made, before the style is there.
    const size = parseFloat(getComputedStyle(root).fontSize) * (fits() / told);
    root.style.setProperty("font-size", `${size}px`, "important");
    setStateValue("scale", (told = fits()));
  };
  const resized = () => {
    clearTimeout(waiting);
    waiting = setTimeout(tell, 250);
  };
  // How the page should stand is kept until it does (`watching`): what is told while the script draws can be lost.
  if (window.ldpcoreWish === data.stands) window.ldpcoreWish = null;
  const wish = (how) => setTriggerValue("wish", (window.ldpcoreWish = how));
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    press(event);
    const now = window.ldpcoreWish ?? data.stands;
    if (event.key === "p") wish(now === PROJECTOR ? WHOLE : PROJECTOR);
    // Escape closes menus too: it is told only where there is something to leave.
    else if (event.key === "Escape" && now !== WHOLE) wish(WHOLE);
  };
  // Arrows move along the choices of a widget that has the keyboard's focus. The mouse's is let go, so that they turn.
  const released = () => {
    if (!document.querySelector(TURNING)) return;
    setTimeout(() => document.activeElement?.matches("[role=radio]") && document.activeElement.blur());
  };
  const clicked = (event) => {
    const button = event.target.closest?.("[data-picture]");
    if (button) {
      event.preventDefault();
      picture(button);
      return;
    }
    const notes = event.target.closest?.("a[data-press]");
    if (notes) apart(event, notes);
    const link = event.target.closest?.(NAVIGATION);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (address(link) === data.page) stay();
    else leave(link, data.working);
    if (link.matches("[data-testid=stSidebarNavLink]") && window.innerWidth <= NARROW) {
      // On a phone the drawer lies over the page that was just chosen.
      document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
    }
  };
  // Which claim of a paper is open stands in the address, so that a reload opens it again (address.js keeps it there).
  const toggled = ({ target }) => {
    const name = target.dataset?.claim;
    if (!name) return;
    const said = new URLSearchParams(location.search);
    if (target.open) said.set("claim", name);
    else if (said.get("claim") === name) said.delete("claim");
    const query = said.size ? `?${said}` : "";
    history.replaceState(history.state, "", location.pathname + query + location.hash);
  };
  // Charts take their colours from the theme, which the menu changes without a word to the script.
  const ground = () => getComputedStyle(document.querySelector(".stApp")).backgroundColor;
  window.ldpcoreGround ??= ground();
  const repainted = () => {
    if (ground() !== window.ldpcoreGround) setStateValue("ground", (window.ldpcoreGround = ground()));
  };
  // Where the theme is the system's, and that changes: as soon as Streamlit has painted, not when it is next looked at.
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const turned = () => setTimeout(repainted, 50);
  // Streamlit calls this again with every redraw: only the last of them listens.
  window.ldpcoreDeaf?.();
  const events = [[window, "resize", resized], [document, "keydown", pressed], [document, "click", clicked]];
  events.push([window, "pointerup", released, true], [system, "change", turned], [document, "toggle", toggled, true]);
  for (const [place, ...heard] of events) place.addEventListener(...heard);
  const lead = (page) => setTriggerValue("last", page);
  let [idle, tries] = [0, 0];
  const watching = setInterval(() => {
    idle = app().dataset.testScriptState === "notRunning" ? idle + 1 : 0;
    if (window.ldpcoreWish === data.stands) window.ldpcoreWish = null;
    else if (window.ldpcoreWish && idle && idle % AT_REST === 0 && tries++ < TRIES) wish(window.ldpcoreWish);
    repainted();
    grouped(data.groups);
    arrive(lead);
    follow();
  }, 400);
  window.ldpcoreDeaf = () => {
    clearInterval(watching);
    for (const [place, ...heard] of events) place.removeEventListener(...heard);
  };
  tell();
  arrive(lead);
  return window.ldpcoreDeaf;
}
