// On pages and slides: pictures from a pack, without a kernel.
const packs = (globalThis.pePacks ??= {}); // name → text, gzipped and in base64, as the packs' own scripts leave it
const fetched = {}; // address of a pack's script → when it has run

function fetchPack(src) {
  return (fetched[src] ??= new Promise((onload, onerror) => document.head.append(h("script", { src, onload, onerror }))));
}

async function unpacked(name) {
  const bytes = Uint8Array.from(atob(packs[name]), (letter) => letter.charCodeAt(0));
  return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
}

// The states of a pack as a source: of those it holds, the one that is nearest to what is asked for.
function packedSource({ spec, lines, layers, states }, { address = false } = {}) {
  const all = states.map(([values, ...rest]) => ({ values: Object.fromEntries(spec.controls.map(({ name }, k) => [name, values[k]])), rest }));
  const svg = (layer) => layers[layer].map((k) => lines[k]).join("\n");
  const played = spec.play;
  const near = (a, b) => (typeof a === "number" && typeof b === "number" ? 1 - 1 / (1 + Math.abs(a - b) / (1 + Math.abs(b))) : 1);
  function nearest(wanted, asked) {
    const far = ({ values }) => Object.keys(values).reduce((sum, name) => sum + (values[name] === wanted[name] ? 0 : near(values[name], wanted[name]) * (name in asked ? 100 : name === played ? 0.1 : 1)), 0);
    return all.reduce((best, state) => (far(state) < far(best) ? state : best));
  }
  const sorted = (values) => [...new Set(values)].sort((a, b) => (typeof a === "number" ? a - b : 0));
  function limits(values) { // of what is played: the places that all others leave
    const beside = all.filter(({ values: other }) => Object.keys(values).every((name) => name === played || other[name] === values[name]));
    return { [played]: { options: sorted(beside.map((state) => state.values[played])) } };
  }
  for (const control of spec.controls) {
    if (control.kind === "slider") control.kind = "steps";
    if (control.kind === "text") control.kind = "choice";
    control.options = sorted(all.map((state) => state.values[control.name]));
  }
  const fixed = new Set(spec.controls.filter(({ options }) => options.length < 2).map(({ name }) => name));
  spec.controls = spec.controls.filter(({ name }) => !fixed.has(name));
  spec.shown = spec.shown.filter((name) => !fixed.has(name));
  const holds = (state) => all.some(({ values }) => Object.entries(state).every(([name, value]) => values[name] === value));
  spec.presets = Object.fromEntries(Object.entries(spec.presets).filter(([, state]) => holds({ ...spec.start, ...state })));
  let listener, resting;
  const begin = address ? fromAddress(spec) : {};
  return {
    listen: (show) => (listener = show),
    near(asked, values) { // what is shown instead where a click asks for what the pack has not
      const { values: found } = nearest({ ...values, ...asked }, asked);
      return Object.fromEntries(Object.keys(asked).map((name) => [name, found[name]]));
    },
    ask({ set = {}, values, fresh, number }) {
      const asked = fresh ? begin : set;
      const { values: found, rest: [behind, moving, words, targets] } = nearest({ ...values, ...asked }, asked);
      const answer = { number, values: found, limits: limits(found), background: svg(behind), moving: svg(moving), words: lines[words], targets: JSON.parse(lines[targets]).filter(({ sets }) => holds(sets)), message: "" };
      queueMicrotask(() => listener(answer));
    },
    shown: address ? (values) => (clearTimeout(resting), (resting = setTimeout(writeAddress, 200, values, spec))) : undefined,
  };
}

function fromAddress({ controls, start }) {
  const given = new URLSearchParams(location.hash.slice(1));
  const read = (name, text) => (typeof start[name] === "number" ? Number(text) : typeof start[name] === "boolean" ? text === "true" : text);
  return Object.fromEntries(controls.filter(({ name }) => given.has(name)).map(({ name }) => [name, read(name, given.get(name))]));
}

function writeAddress(values, { controls, start }) {
  const changed = controls.filter(({ name }) => values[name] !== start[name]).map(({ name }) => [name, values[name]]);
  try { // browsers refuse an address that changes too often, and some frames refuse any change
    history.replaceState(null, "", changed.length ? `#${new URLSearchParams(changed)}` : location.pathname + location.search);
  } catch {}
}

// Fill every element that names an explorer or a question; a picture is unpacked when it comes into view.
function fillPage() {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) seen.unobserve(target), fill(target);
  }, { rootMargin: "400px" });
  async function fill(host) {
    const { explorer: name, pack: address, cover, state, address: inAddress } = host.dataset;
    if (!packs[name] && address) await fetchPack(address);
    if (!packs[name]) return;
    const pack = await unpacked(name), { spec } = pack;
    spec.cover = cover === "true";
    for (const [preset, values] of Object.entries(spec.presets)) spec.presets[preset] = { ...spec.start, ...values };
    spec.start = { ...spec.start, ...JSON.parse(state ?? "{}") };
    const source = packedSource(pack, { address: inAddress === "true" }), still = host.querySelector(".pe-still"), { shown: told } = source;
    source.shown = (...now) => (still?.remove(), told?.(...now)); // until then it lies where the picture will be
    still?.classList.add("pe-over");
    host.explorer = mountExplorer(host, spec, source);
    if (inAddress === "true") addEventListener("hashchange", () => host.explorer.goTo({ ...spec.start, ...fromAddress(spec) }));
  }
  for (const host of document.querySelectorAll("[data-explorer]")) seen.observe(host);
  for (const host of document.querySelectorAll("[data-question]")) host.replaceChildren(), mountPrediction(host, JSON.parse(host.dataset.question));
}

if (globalThis.pePage) document.readyState === "loading" ? addEventListener("DOMContentLoaded", fillPage) : fillPage();
