// On pages and slides: pictures from packs, without a kernel.
const packs = (globalThis.pePacks ??= {}); // name → text, gzipped and in base64, as the packs' own scripts leave it
const COMING = "Python is on its way; then it draws what you have typed.";
const LINKED = "Python draws what this link asks for, once you press Run.";
const LACKING = "This picture could not be fetched, so it stands still. Is there a network? ";
const fetched = {}; // address of a pack's script → when it has run

// The pack of this name, its script fetched from an address where it is not on the page itself.
async function packOf(name, address) {
  const run = (onload, onerror) => document.head.append(h("script", { src: address, onload, onerror }));
  if (!packs[name] && address) await (fetched[address] ??= new Promise(run).catch(() => delete fetched[address]));
  if (!packs[name]) return;
  const bytes = Uint8Array.from(atob(packs[name]), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
}

// The states of packs as a source: of those they hold, the one that is nearest to what is asked for. `packFor(tall)`
// brings the pack of a size; both have the same states. Where Python can be had, `wake` starts it for a value that no state
// has, and resolves to what there is to say if it does not come.
function packedSource(spec, states, packFor, wake) {
  const names = spec.controls.map(({ name }) => name);
  const all = states.map(([given]) => Object.fromEntries(names.map((name, k) => [name, given[k]])));
  const places = new Map(all.map((values, k) => [JSON.stringify(values), k]));
  const away = (a, b) => (typeof a === "number" && typeof b === "number" ? 1 - 1 / (1 + Math.abs(a - b) / (1 + Math.abs(b))) : 1);
  function nearest(wanted, changed) {
    const exact = places.get(JSON.stringify(Object.fromEntries(names.map((name) => [name, wanted[name]]))));
    if (exact !== undefined) return exact;
    const weight = (name) => (changed.includes(name) ? 100 : name === spec.play ? 0.1 : 1);
    const far = all.map((values) =>
      names.reduce((sum, name) => sum + (values[name] === wanted[name] ? 0 : away(values[name], wanted[name]) * weight(name)), 0),
    );
    return far.indexOf(Math.min(...far));
  }
  // A pack offers what it holds, and what it holds in one state only is no control.
  const sorted = (values) => [...new Set(values)].sort((a, b) => (typeof a === "number" ? a - b : 0));
  function limitsOf(kind, all, [least, greatest] = [all[0], all.at(-1)]) {
    if (kind !== "slider") return { options: all };
    const options = all.filter((option) => option >= least && option <= greatest);
    const whole = oneApart(options) && options[0] === least && options.at(-1) === greatest;
    return { least, greatest, options: whole ? undefined : options };
  }
  const fixed = new Set(), offered = {};
  const lacks = (state) => !!wake && Object.keys(state).some((name) => offered[name]?.includes(state[name]) === false);
  for (const control of spec.controls) {
    const options = (offered[control.name] = sorted(all.map((values) => values[control.name])));
    if (control.kind === "text" && wake) continue;
    if (options.length < 2) fixed.add(control.name);
    if (control.kind === "text") control.kind = "choice";
    if (control.kind === "slider" && control.name !== spec.play && !oneApart(options)) control.kind = "steps";
    if (control.kind !== "tick") Object.assign(control, { step: 1 }, limitsOf(control.kind, options));
  }
  spec.controls = spec.controls.filter(({ name }) => !fixed.has(name));
  spec.shown = spec.shown.filter((name) => !fixed.has(name));
  const holds = (state) => all.some((values) => Object.entries(state).every(([name, value]) => values[name] === value));
  spec.presets = spec.presets.filter(({ set }) => holds(set));
  const played = spec.controls.find(({ name }) => name === spec.play);
  if (!played) spec.play = null; // such as a sentence of one word
  function limits(values, ends) { // of what is played: the places that all others leave
    if (!played) return {};
    const beside = all.filter((other) => names.every((name) => name === spec.play || other[name] === values[name]));
    return { [spec.play]: limitsOf(played.kind, sorted(beside.map((state) => state[spec.play])), ends ?? undefined) };
  }
  let listener;
  return {
    lacks,
    patience: wake && 300_000, // milliseconds: a first Python has a long way to come
    listen: (heard) => (listener = heard),
    async ask({ set, changed, number, ahead, tall, fresh }) {
      let message = fresh && lacks(set) ? LINKED : "";
      if (!fresh && lacks(Object.fromEntries(changed.map((name) => [name, set[name]])))) {
        listener({ message: COMING, values: set });
        message = await wake();
      }
      const k = nearest({ ...all[0], ...set }, changed), { lines, layers, states } = await packFor(tall);
      const [, behind, moving, words, title, places] = states[k];
      const svg = (layer) => layers[layer].map((line) => lines[line]).join("\n");
      const placed = JSON.parse(lines[places]), targets = placed.targets.filter(({ sets }) => holds(sets));
      listener({
        number, ahead, tall, values: all[k], limits: limits(all[k], placed.ends), message, words: lines[words], title: JSON.parse(lines[title]),
        ...placed, targets, background: svg(behind), moving: svg(moving),
      });
    },
  };
}

// An address says which state of which picture of a page is shown: what differs from its first state, and where it plays.
// A page that is one picture needs no name for it, and its address follows the picture. An address of slides is that of a slide.
function placesOf(hosts) {
  const counts = {};
  for (const host of hosts) {
    const [kind] = host.dataset.explorer.match(/^[a-z_]*/), count = (counts[kind] = (counts[kind] ?? 0) + 1);
    host.place = host.dataset.address === "true" ? "" : `${kind}${count > 1 ? count : ""}.`;
  }
}

function fromAddress(place, { controls, start }) {
  const given = new URLSearchParams(location.hash.slice(1)), found = {};
  for (const { name } of controls) {
    const text = given.get(place + name), kind = typeof start[name];
    const value = kind === "number" ? Number(text) : kind === "boolean" ? text === "true" : text;
    if (text !== null && (kind !== "number" || Number.isFinite(value))) found[name] = value;
  }
  return found;
}

const isAddressed = ({ place }) => place && [...new URLSearchParams(location.hash.slice(1)).keys()].some((name) => name.startsWith(place));

function addressOf(place, values, { controls, start, play }) {
  const said = controls.filter(({ name }) => values[name] !== start[name] || (place && name === play));
  const search = new URLSearchParams(said.map(({ name }) => [place + name, values[name]]));
  return said.length ? `#${search}` : location.pathname + location.search;
}

// Fill an element with the explorer that it names, as soon as its pack is there.
async function fill(host) {
  const { explorer: name, pack: address, tall: tallAddress, cover, state } = host.dataset, { place } = host;
  const unpacked = {};
  const packFor = async (tall) => (unpacked[!!tall] ??= await packOf(tall ? `${name}-tall` : name, tall ? tallAddress : address));
  const narrow = host.clientWidth && host.clientWidth < NARROW;
  const first = await packFor(narrow && (tallAddress || packs[`${name}-tall`])), { spec } = first ?? {};
  if (!spec) return lacking(host);
  spec.cover = cover === "true";
  spec.start = { ...spec.start, ...JSON.parse(state ?? "{}") };
  const source = packedSource(spec, first.states, packFor, globalThis.peLive?.(host)), stills = host.querySelectorAll(".pe-still");
  let resting;
  const addressed = host.dataset.address !== "false";
  source.start = addressed ? fromAddress(place, spec) : {};
  if (state || Object.keys(source.start).length) spec.opens = false; // it stands where a slide or an address says
  if (source.lacks(source.start)) host.asked = source.start;
  const copy = (values, controls = spec.controls) => copied(new URL(addressOf(place, values, { ...spec, controls }), location.href).href);
  if (addressed) host.copy = source.copy = copy;
  source.shown = (values) => {
    for (const still of stills) still.remove();
    clearTimeout(resting);
    if (place) return;
    resting = setTimeout(() => {
      try { // browsers refuse an address that changes too often, and some frames refuse any change
        history.replaceState(null, "", addressOf(place, values, spec));
      } catch {}
    }, 200);
  };
  addEventListener("hashchange", () => {
    if (!addressed) return;
    if (!place || isAddressed(host)) host.explorer.goTo({ ...spec.start, ...fromAddress(place, spec) });
    if (isAddressed(host)) host.scrollIntoView();
  });
  stills[0]?.classList.add("pe-over"); // until the picture is there, it lies where that will be
  host.explorer = mountExplorer(host, spec, source);
  if (isAddressed(host)) host.scrollIntoView();
}

// Say that a picture stands still, until there is a network again, or somebody tries it again.
function lacking(host) {
  const again = () => (said.remove(), removeEventListener("online", again), fill(host));
  const said = h("p", { className: "pe-message", aria: { role: "status" } }, LACKING, h("button", { on: { click: again } }, "Try again"));
  host.querySelector(".pe-still")?.append(said);
  addEventListener("online", again);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // some pages may not
  }
}

// Where a page keeps how far a question is. The output that answers it, if the page has it, is shut until a choice is locked
// in; a cell that runs in the page says so by an event, `pe-ran`.
function pageStore(host) {
  const follows = (element) => host.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
  const output = () => [...document.querySelectorAll(".pe-answer")].find(follows);
  const store = {
    state: {}, ran: false, waiting: "Locked in. Now run the next cell.",
    keep(state) {
      store.state = state;
      if (state.locked && output()) output().open = store.ran = true;
    },
    listen: (heard) => document.addEventListener("pe-ran", ({ target }) => follows(target) && ((store.ran = true), heard())),
  };
  document.addEventListener("click", (event) => {
    if (!store.state.locked && output()?.firstElementChild.contains(event.target)) event.preventDefault();
  });
  return store;
}

function fillQuestion(host) {
  host.replaceChildren();
  mountPrediction(host, JSON.parse(host.dataset.question), pageStore(host));
}

// Fill every element that names an explorer or a question; an explorer when it comes into view.
function fillPage() {
  const seen = new IntersectionObserver((entries) => {
    const near = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    for (const host of near) seen.unobserve(host);
    Promise.allSettled(near.map(fill)).then(() => dispatchEvent(new Event("pe-filled"))); // what else a page fetches may come
  }, { rootMargin: "400px" });
  const hosts = [...document.querySelectorAll("[data-explorer]")];
  placesOf(hosts);
  for (const host of hosts) isAddressed(host) ? fill(host) : seen.observe(host);
  for (const host of document.querySelectorAll("[data-question]")) fillQuestion(host);
}

if (globalThis.pePage) document.readyState === "loading" ? addEventListener("DOMContentLoaded", fillPage) : fillPage();
