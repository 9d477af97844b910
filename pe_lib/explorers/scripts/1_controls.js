// What the page shows: an explorer (controls around a picture) and a prediction (a question with choices).
// JupyterLab loads this text as a widget, which asks the kernel for pictures; pages and slides load it as a plain script
// and take pictures from a pack. A picture is two SVG documents, one over the other, shown as images: an image runs no
// script, whatever was typed into it.

const KEPT = 64, KEPT_BYTES = 8e6; // pictures that are ready to be shown again
const SPEEDS = { slow: 800, fast: 250, work: 40 }; // milliseconds from one step to the next while playing
const PATIENCE = 4000; // milliseconds after which the page says that the kernel does not answer
const UNDERWAY = { quick: 4, slow: 2 }, SLOW = 30; // questions not answered yet; milliseconds the kernel draws: then more would pile up
const NOTICE = "Positional encoding notebooks, MIT licence";
const CORNERS = '<svg viewBox="0 0 16 16" width="16" aria-hidden="true"><path d="M1 6V1h5M10 1h5v5M15 10v5h-5M6 15H1v-5" fill="none" stroke="currentColor" stroke-width="2"/></svg>';
const icon = (d) => `<svg viewBox="0 0 16 16" width="14" aria-hidden="true"><path d="${d}" fill="currentColor"/></svg>`;
const PLAY = icon("M3 1l11 7-11 7z"), PAUSE = icon("M3 1h4v14H3zM9 1h4v14H9z");
const KEYS = [
  ["← →", "move the focused control"],
  ["1 2 3 …", "presets"],
  ["0", "back to the start"],
  ["Space", "play and pause"],
  ["F", "full screen; Escape leads back"],
  ["A", "show the answer, or cover it"],
  ["?", "this list"],
];

// An element with properties, attributes and children, if any. What can have the focus keeps its keys from JupyterLab.
function h(tag, { on = {}, aria = {}, ...props } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  for (const [name, heard] of Object.entries(on)) element.addEventListener(name, heard);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(name === "role" ? name : `aria-${name}`, value);
  if (["button", "input", "select"].includes(tag) || props.tabIndex >= 0) element.dataset.lmSuppressShortcuts = "true";
  element.append(...children.filter(Boolean));
  return element;
}

// Follow the page from light to dark and back: it is dark where its words are light. Returns what ends it.
function followTheme(root) {
  const set = () => {
    const [red, green, blue] = getComputedStyle(root.parentElement).color.match(/[\d.]+/g);
    root.style.colorScheme = 0.3 * red + 0.59 * green + 0.11 * blue > 128 ? "dark" : "light";
  };
  const asked = matchMedia("(prefers-color-scheme: dark)");
  const watch = new MutationObserver(() => requestAnimationFrame(set));
  for (const element of [document.documentElement, document.body]) watch.observe(element, { attributes: true });
  asked.addEventListener("change", set);
  let ended;
  const begin = () => ended || (root.isConnected ? set() : requestAnimationFrame(begin)); // once it stands on the page
  begin();
  return () => ((ended = true), watch.disconnect(), asked.removeEventListener("change", set));
}

// The values a control offers, and how they are written.
const shown = (value) => (typeof value === "number" ? String(Number(value.toPrecision(12))) : String(value) || "–");

function makeControl(spec, change) {
  const name = spec.label;
  if (spec.kind === "tick") {
    const input = h("input", { type: "checkbox", on: { change: () => change(input.checked) } });
    return { root: h("label", { className: "pe-control" }, input, name), set: (value) => (input.checked = value), main: input };
  }
  if (spec.kind === "text") {
    const input = h("input", { type: "text", spellcheck: false, on: { input: () => change(input.value) } });
    const set = (value) => document.activeElement !== input && (input.value = value ?? "");
    return { root: h("label", { className: "pe-control pe-text" }, name, input), set, main: input };
  }
  if (spec.kind === "choice") {
    const input = h("select", { on: { change: () => change(spec.options[input.selectedIndex]) } });
    const set = (value) => (input.selectedIndex = spec.options.indexOf(value));
    const limit = ({ options }) => input.replaceChildren(...(spec.options = options).map((option) => h("option", {}, shown(option))));
    limit(spec);
    return { root: h("label", { className: "pe-control" }, name, input), set, limit, main: input };
  }
  const steps = spec.kind === "steps"; // then the slider goes through its options
  const range = h("input", {
    type: "range", step: steps ? 1 : (spec.step ?? "any"), aria: { label: name },
    on: { input: () => change(steps ? spec.options[range.valueAsNumber] : range.valueAsNumber) },
  });
  const typed = h("input", {
    type: "text", inputMode: "decimal", className: "pe-number", aria: { label: `${name}, typed` },
    on: {
      input: () => (typing = true),
      change: () => {
        typing = false;
        const number = Number(typed.value.replaceAll(",", ""));
        if (typed.value.trim() && Number.isFinite(number)) change(number);
        else set(current);
      },
      blur: () => ((typing = false), set(current)),
      keydown: (event) => event.key === "Enter" && typed.select(),
    },
  });
  let current, typing = false; // what is being typed stays, what was shows where it led to
  function set(value) {
    current = value;
    range.value = steps ? spec.options.indexOf(value) : value;
    range.setAttribute("aria-valuetext", shown(value));
    if (!typing) typed.value = shown(value);
  }
  function limit({ least, greatest, options }) {
    if (options) spec.options = options;
    [range.min, range.max] = steps ? [0, spec.options.length - 1] : [least, greatest];
    range.disabled = typed.disabled = range.min === range.max; // there is nowhere to go
    const digits = (steps ? spec.options : [least, greatest]).map((number) => shown(number).length);
    typed.style.setProperty("--digits", Math.max(3, ...digits)); // the played slider gets the room that is left
  }
  function step(by) {
    const [at, least, most] = [range.valueAsNumber, Number(range.min), Number(range.max)];
    const next = at + by * (Number(range.step) || (most - least) / 50);
    if (next > most || next < least) return false;
    change(steps ? spec.options[next] : next);
    return true;
  }
  const home = () => change(steps ? spec.options[0] : Number(range.min));
  limit(spec);
  return { root: h("div", { className: "pe-control" }, h("span", { aria: { hidden: "true" } }, name), range, typed), set, limit, step, home, main: range };
}
