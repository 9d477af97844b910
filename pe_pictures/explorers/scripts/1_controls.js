// What the page shows: an explorer (a picture and what moves it) and a prediction (a question with choices).
// JupyterLab loads this text as a widget, which asks the kernel for pictures; pages and slides load it as a plain
// script and take pictures from a pack.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const clamp = (x, least, most) => Math.min(Math.max(x, least), most);

// An element with properties, attributes and children, if any.
function h(tag, { on = {}, aria = {}, ...props } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  for (const [name, heard] of Object.entries(on)) element.addEventListener(name, heard);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(name === "role" ? name : `aria-${name}`, value);
  element.append(...children.filter(Boolean));
  return element;
}

// Follow the page from light to dark and back: it is dark where its words are light. Returns what ends it.
function followTheme(root) {
  const set = () => {
    if (!root.isConnected) return; // another answer has taken its place
    const [red, green, blue] = getComputedStyle(root.parentElement).color.match(/[\d.]+/g);
    root.style.colorScheme = 0.3 * red + 0.59 * green + 0.11 * blue > 128 ? "dark" : "light";
  };
  const asked = matchMedia("(prefers-color-scheme: dark)");
  const watch = new MutationObserver(() => requestAnimationFrame(() => root.isConnected && set()));
  for (const element of [document.documentElement, document.body]) watch.observe(element, { attributes: true });
  asked.addEventListener("change", set);
  let ended;
  const begin = () => ended || (root.isConnected ? set() : requestAnimationFrame(begin)); // once it is on the page
  begin();
  return () => ((ended = true), watch.disconnect(), asked.removeEventListener("change", set));
}

// How a value is written: with the true minus, which is as wide as a digit.
function written(value) {
  if (typeof value !== "number") return String(value) || "–";
  return String(Number(value.toPrecision(12))).replace("-", "−");
}

const oneApart = (options) => options.every((option, k) => !k || option === options[k - 1] + 1);

// The values of a slider: those between two ends, of which a pack may have some only; or the steps that it lists, each
// by its place in the list, as they are no even distance apart.
function scaleOf(spec) {
  const listed = spec.kind === "steps", by = spec.step ?? 1;
  const last = (value) => Math.max(0, spec.options.findLastIndex((option) => option <= value));
  const ends = () => (listed ? [0, spec.options.length - 1] : [spec.least, spec.greatest]);
  const at = (value) => (listed ? last(value) : value);
  const value = (place) => {
    if (listed) return spec.options[Math.round(place)];
    const options = spec.options ?? [Number((Math.round(place / by) * by).toPrecision(12))];
    return options.reduce((one, other) => (Math.abs(other - place) < Math.abs(one - place) ? other : one));
  };
  function next(from, steps) {
    if (!spec.options) return value(clamp(from + steps * by, ...ends()));
    return spec.options[clamp(last(from) + steps, 0, spec.options.length - 1)];
  }
  return {
    ends, at, value, next,
    step: listed ? 1 : by,
    get whole() { return spec.kind === "slider" && by === 1 && oneApart(spec.options ?? []); }, // then a picture can glide along it
    near: (wanted) => (listed ? spec.options[last(wanted)] : value(clamp(wanted, ...ends()))),
    least: () => (spec.options ? spec.options[0] : spec.least),
    greatest: () => (spec.options ? spec.options.at(-1) : spec.greatest),
  };
}

// A control beside the picture. `change` hears what it is set to by hand, `set` sets it, `limit` says how far it goes.
function makeControl(spec, change) {
  const name = spec.label, limit = () => {};
  if (spec.kind === "tick") {
    const input = h("input", { type: "checkbox", on: { change: () => change(input.checked) } });
    const root = h("label", { className: "pe-field" }, input, h("span", {}, name));
    return { root, set: (value) => (input.checked = value), limit };
  }
  if (spec.kind === "text") {
    const input = h("input", { type: "text", spellcheck: false, on: { input: () => change(input.value) } });
    const set = (value) => document.activeElement !== input && (input.value = value ?? "");
    return { root: h("label", { className: "pe-field pe-words" }, h("span", {}, name), input), set, limit };
  }
  if (spec.kind === "choice") {
    const options = spec.options.map((option) => h("option", {}, written(option)));
    const input = h("select", { on: { change: () => change(spec.options[input.selectedIndex]) } }, ...options);
    const set = (value) => (input.selectedIndex = spec.options.indexOf(value));
    return { root: h("label", { className: "pe-field" }, h("span", {}, name), input), set, limit };
  }
  return { ...makeSlider(spec, change), scale: scaleOf(spec) };
}

// Hear a slider, but a finger only once it has moved across, or as it leaves: one that moves up or down scrolls the page.
const SLOP = 8; // pixels that a finger moves before it drags
function hear(range, said) {
  let down; // where a finger has come down, and what the slider was at
  const end = () => ((down = undefined), said());
  range.addEventListener("pointerdown", (event) => (down = event.pointerType === "touch" ? { x: event.clientX, value: range.value } : undefined));
  range.addEventListener("input", () => down || said());
  range.addEventListener("pointermove", (event) => down && Math.abs(event.clientX - down.x) >= SLOP && end());
  range.addEventListener("pointerup", () => down && end());
  range.addEventListener("pointercancel", () => down && ((range.value = down.value), (down = undefined)));
  return range;
}

// A slider, and beside it its number, which can be typed: what is being typed stays until it has been taken.
function makeSlider(spec, change) {
  const scale = scaleOf(spec), name = spec.label;
  let current, typing = false;
  const range = h("input", { type: "range", step: scale.step, aria: { label: name } });
  hear(range, () => change(scale.value(range.valueAsNumber)));
  function take() {
    const number = Number(typed.value.replaceAll(",", "").replace("−", "-"));
    typing = false;
    if (typed.value.trim() && Number.isFinite(number)) change(number);
    else set(current);
  }
  const typed = h("input", {
    type: "text", inputMode: "decimal", className: "pe-number", aria: { label: `${name}, typed` },
    on: {
      input: () => (typing = true),
      change: take,
      blur: () => ((typing = false), set(current)),
      keydown: (event) => event.key === "Enter" && typed.select(),
    },
  });
  function set(value) {
    current = value;
    range.value = scale.at(value);
    range.setAttribute("aria-valuetext", written(value));
    if (!typing) typed.value = written(value);
  }
  function limit(limits) {
    Object.assign(spec, limits);
    [range.min, range.max] = scale.ends();
    range.disabled = typed.disabled = range.min === range.max; // there is nowhere to go
    const digits = scale.ends().map((end) => written(scale.value(end)).length);
    typed.style.setProperty("--digits", Math.max(2, ...digits));
  }
  limit({});
  const root = h("div", { className: "pe-field" }, h("span", { aria: { hidden: "true" } }, name), range, typed);
  return { root, set, limit };
}
