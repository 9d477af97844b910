globalThis.pePage = true;
// What the page shows: an explorer (controls around a picture) and a prediction (a question with choices).
// JupyterLab loads this text as a widget, which asks the kernel for pictures; pages and slides load it as a plain script
// and take pictures from a pack. A picture is two SVG documents, one over the other, shown as images: an image runs no
// script, whatever was typed into it.

const KEPT = 64, KEPT_BYTES = 8e6; // pictures that are ready to be shown again
const SPEEDS = { slow: 800, fast: 250 }; // milliseconds from one step to the next while playing
const PATIENCE = 4000; // milliseconds after which the page says that the kernel does not answer
const MOST_UNDERWAY = 2; // questions that the kernel has not answered yet
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
  ["A", "show the answer, where it is covered"],
  ["?", "this list"],
];

// An element with properties, attributes and children. What can have the focus keeps its keys from JupyterLab.
function h(tag, { on = {}, aria = {}, ...props } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  for (const [name, heard] of Object.entries(on)) element.addEventListener(name, heard);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(name === "role" ? name : `aria-${name}`, value);
  if (["button", "input", "select"].includes(tag) || props.tabIndex >= 0) element.dataset.lmSuppressShortcuts = "true";
  element.append(...children);
  return element;
}

const lightness = (colour) => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, part, k) => sum + [0.3, 0.59, 0.11][k] * part, 0);

// Whether the page is dark where an element stands: by the first background behind it, or else by the page's own canvas.
function isDark(element) {
  for (let at = element; at; at = at.parentElement) {
    const behind = getComputedStyle(at).backgroundColor;
    if (!/^rgba\(.*, 0(\.[0-4]\d*)?\)$/.test(behind)) return lightness(behind) < 128;
  }
  const probe = h("span", { style: "color: CanvasText" });
  element.append(probe);
  const dark = lightness(getComputedStyle(probe).color) > 128;
  probe.remove();
  return dark;
}

// Follow the page from light to dark and back; returns what ends it.
function followTheme(root) {
  const set = () => (root.style.colorScheme = isDark(root.parentElement) ? "dark" : "light");
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
const shown = (value) => (typeof value === "number" ? String(Number(value.toPrecision(12))) : String(value));

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
    const fill = () => input.replaceChildren(...spec.options.map((option) => h("option", {}, shown(option))));
    fill();
    const set = (value) => (input.selectedIndex = spec.options.findIndex((option) => option === value));
    const limit = (options) => options && ((spec.options = options), fill());
    return { root: h("label", { className: "pe-control" }, name, input), set, limit, main: input };
  }
  const steps = () => spec.kind === "steps";
  const range = h("input", {
    type: "range", step: spec.kind === "steps" ? 1 : (spec.step ?? "any"), aria: { label: name },
    on: { input: () => change(steps() ? spec.options[range.valueAsNumber] : range.valueAsNumber) },
  });
  const typed = h("input", {
    type: "text", inputMode: "decimal", className: "pe-number", aria: { label: `${name}, typed` },
    on: {
      change: () => {
        const number = Number(typed.value.replaceAll(",", ""));
        if (typed.value.trim() && Number.isFinite(number)) change(number);
        else set(current);
      },
    },
  });
  let current;
  function set(value) {
    current = value;
    const distance = (option) => Math.abs(option - value);
    const nearest = steps() && spec.options.reduce((best, option, k, all) => (distance(option) < distance(all[best]) ? k : best), 0);
    range.value = steps() ? nearest : value;
    range.setAttribute("aria-valuetext", shown(value));
    if (document.activeElement !== typed || typed.value === "") typed.value = shown(value);
  }
  function limit({ least, greatest, options }) {
    if (options) spec.options = options;
    [range.min, range.max] = steps() ? [0, spec.options.length - 1] : [least, greatest];
  }
  function step(by) {
    const [at, least, most] = [range.valueAsNumber, Number(range.min), Number(range.max)];
    const next = at + by * (Number(range.step) || (most - least) / 50);
    if (next > most || next < least) return false;
    change(steps() ? spec.options[next] : next);
    return true;
  }
  limit(spec);
  typed.addEventListener("keydown", (event) => event.key === "Enter" && typed.select());
  return { root: h("div", { className: "pe-control" }, h("span", { aria: { hidden: "true" } }, name), range, typed), set, limit, step, main: range };
}

// Put an explorer into an element. `source.ask(request)` asks for a picture; what it answers is given to `show`.
function mountExplorer(host, spec, source) {
  let values = { ...spec.start }, covered = spec.cover, current, counter = 0, newest = 0, underway = 0, next, playing, speed = "slow";
  const kept = new Map(); // state → answer, the one shown last at the end
  let size = 0;

  // ── asking ──
  const key = (state) => JSON.stringify(Object.entries(state).sort());
  function request(set, extra = {}) {
    const wanted = { ...values, ...set };
    const ready = spec.lasting && !extra.fresh && kept.get(key(wanted));
    overtaken = ready && underway > 0; // then what is underway is not to be shown any more
    if (ready) return (next = undefined), show(ready, wanted), tellLater();
    next = { ...extra, set: { ...next?.set, ...set } };
    if (underway < MOST_UNDERWAY) send();
  }
  const own = Math.random().toString(36).slice(2); // other views of the same explorer hear all answers too
  let late, told, overtaken = false;
  const setsUnderway = []; // what is underway, the oldest first
  function send() {
    const asked = next;
    next = undefined;
    clearTimeout(told);
    underway++;
    setsUnderway.push(asked.set);
    clearTimeout(late);
    late = setTimeout(() => {
      underway = setsUnderway.length = 0;
      say("The kernel has not answered: it is busy with another cell, or it is gone. Run the cell again.");
    }, PATIENCE);
    source.ask({ ...asked, values, number: `${own} ${++counter}` });
  }
  function tellLater() {
    clearTimeout(told); // the kernel hears where the controls are once they rest
    if (source.tell) told = setTimeout(() => !underway && source.tell({ quiet: true, set: values }), 200);
  }
  function answered(answer) {
    if (answer.number?.startsWith(own)) (underway = Math.max(0, underway - 1)), setsUnderway.shift();
    if (!underway) clearTimeout(late);
    if (answer.era !== undefined && answer.era !== era) kept.clear(), (size = 0), (era = answer.era);
    if (answer.message !== undefined) say(answer.message);
    if (answer.moving) {
      if (answer.background) background = answer.background;
      const whole = { ...answer, background, targets: answer.targets ?? targets };
      targets = whole.targets;
      keep(whole);
      if (overtaken && answer.number?.startsWith(own)) tellLater();
      else show(whole);
      overtaken &&= underway > 0;
    } else if (answer.message) setControls(values);
    if (next && underway < MOST_UNDERWAY) send();
  }
  let era, background, targets = [];
  function keep(answer) {
    if (!spec.lasting) return;
    const name = key(answer.values);
    size += answer.moving.length - (kept.get(name)?.moving.length ?? 0);
    kept.delete(name);
    kept.set(name, answer);
    while (kept.size > KEPT || size > KEPT_BYTES) {
      const [oldest, { moving }] = kept.entries().next().value;
      if (oldest === name) break;
      kept.delete(oldest);
      size -= moving.length;
    }
  }

  // ── the picture ──
  function picture(svg) {
    const image = h("img", { alt: "", decoding: "sync", draggable: false });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(covered ? svg.replace("<svg ", '<svg class="covered" ') : svg)}`;
    return image;
  }
  async function show(answer, asked) {
    const number = ++newest;
    values = asked ? { ...answer.values } : Object.assign({ ...answer.values }, ...setsUnderway, next?.set); // what has been moved since stays as it is
    setControls(values, answer.limits);
    if (asked) say("");
    const layers = answer.images?.covered === covered ? answer.images : { covered, moving: picture(answer.moving) };
    layers.behind ??= current?.background === answer.background && current.images.covered === covered ? current.images.behind : picture(answer.background);
    await Promise.all([layers.behind.decode(), layers.moving.decode()].map((decoded) => decoded.catch(() => {})));
    if (number < newest && newest - number > 2) return; // a later one is on its way, and this one is old
    if (current && number < current.number) return; // a later one is there already
    answer.images = layers;
    current = { ...answer, images: layers, number };
    if (layers.behind !== sheet.children[0] || layers.moving !== sheet.children[1]) sheet.replaceChildren(layers.behind, layers.moving);
    const words = answer.words.replace(/\x02([^]*?)\x03/g, covered ? "…" : "$1");
    sheet.setAttribute("aria-label", words);
    stage.dataset.shown = key(answer.values);
    source.shown?.(values, spec);
  }
  function cover(on) {
    if (!spec.canCover) return;
    covered = on;
    coverButton.textContent = on ? "Show the answer" : "Cover";
    coverButton.setAttribute("aria-pressed", String(on));
    if (current) show(current);
    fit();
  }

  // ── controls ──
  const controls = {};
  for (const one of spec.controls) controls[one.name] = makeControl(one, (value) => (pause(), request({ [one.name]: value })));
  function setControls(state, limits = {}) {
    for (const [name, control] of Object.entries(controls)) {
      if (limits[name]) control.limit?.(limits[name]);
      control.set(state[name]);
    }
    for (const button of presets) button.setAttribute("aria-pressed", String(button.matches(state)));
  }
  function goTo(state) {
    pause();
    request(state);
  }
  const same = (state, wanted) => Object.entries(wanted).every(([name, value]) => state[name] === value);
  const presets = Object.entries(spec.presets).map(([name, state], k) => {
    const wanted = { ...spec.start, ...state };
    const button = h("button", { title: k < 9 ? `key ${k + 1}` : "", aria: { pressed: "false" }, on: { click: () => goTo(wanted) } }, name);
    button.matches = (state) => same(state, wanted);
    return button;
  });
  const reset = h("button", { title: "key 0", on: { click: () => goTo(spec.start) } }, "Reset");

  // ── playing ──
  const played = controls[spec.play];
  const playButton = h("button", { className: "pe-icon", aria: { label: "Play" }, innerHTML: PLAY, on: { click: () => (playing ? pause() : play()) } });
  const speedButton = h("button", { on: { click: changeSpeed } }, "Play faster");
  function changeSpeed() {
    speed = speed === "slow" ? "fast" : "slow";
    speedButton.textContent = speed === "slow" ? "Play faster" : "Play slower";
    if (playing) play();
  }
  function play() {
    clearInterval(playing);
    if (Number(played.main.value) >= Number(played.main.max)) request({ [spec.play]: playedValue(0) });
    playing = setInterval(() => {
      const going = playing; // moving a control pauses; this move does not
      playing = undefined;
      const moved = root.isConnected && played.step(1);
      playing = going;
      if (!moved) pause();
    }, SPEEDS[speed]);
    playButton.innerHTML = PAUSE;
    playButton.setAttribute("aria-label", "Pause");
  }
  function pause() {
    if (!playing) return;
    clearInterval(playing);
    playing = undefined;
    playButton.innerHTML = PLAY;
    playButton.setAttribute("aria-label", "Play");
  }
  const playedValue = () => {
    const one = spec.controls.find((control) => control.name === spec.play);
    return one.kind === "steps" ? one.options[0] : Number(played.main.min);
  };

  // ── touching ──
  const hover = h("div", { className: "pe-hover", hidden: true });
  function touched(event) {
    const box = sheet.getBoundingClientRect(), scale = spec.width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    for (const { box: [left, top, wide, high], across, down, sets } of current?.targets ?? []) {
      if (x < left || y < top || x >= left + wide || y >= top + high) continue;
      const found = { set: { ...sets }, box: [left, top, wide, high] };
      if (across) {
        const k = Math.floor(((x - left) / wide) * across[1].length);
        found.set[across[0]] = across[1][k];
        found.box = [left + (k * wide) / across[1].length, found.box[1], wide / across[1].length, found.box[3]];
      }
      if (down) {
        const k = Math.floor(((y - top) / high) * down[1].length);
        found.set[down[0]] = down[1][k];
        found.box = [found.box[0], top + (k * high) / down[1].length, found.box[2], high / down[1].length];
      }
      return found;
    }
  }
  function point(event) {
    const found = touched(event);
    hover.hidden = !found;
    stage.style.cursor = found ? "pointer" : "";
    if (!found) return;
    const [left, top, wide, high] = found.box.map((side, k) => `${(100 * side) / (k % 2 ? spec.height : spec.width)}%`);
    Object.assign(hover.style, { left, top, width: wide, height: high });
    hover.title = Object.entries(found.set).map(([name, value]) => `${name} ${value}`).join(", ");
  }
  function click(event) {
    const found = touched(event);
    sheet.focus({ preventScroll: true });
    if (found) pause(), request(found.set);
  }

  // ── full screen, saving, help ──
  function grow() {
    if (root.classList.contains("pe-whole")) return shrink();
    root.classList.add("pe-whole");
    root.requestFullscreen?.().catch(() => {}); // refused in a frame: then it fills the frame
    fit();
  }
  function shrink() {
    root.classList.remove("pe-whole");
    if (document.fullscreenElement === root) document.exitFullscreen();
    fit();
  }
  const left = () => !document.fullscreenElement && root.classList.contains("pe-whole") && shrink();
  document.addEventListener("fullscreenchange", left);
  function whole() {
    const plain = (svg) => svg.replace(/@media[^]*?<\/style>/, "</style>");
    const inner = plain(current.moving).replace(/^<svg[^>]*>/, "").replace(/<\/svg>\s*$/, "");
    const tall = spec.height + 24;
    return plain(current.background)
      .replace(/^<svg[^>]*>/, `<svg xmlns="http://www.w3.org/2000/svg" ${covered ? 'class="covered" ' : ""}width="${spec.width}" height="${tall}" viewBox="0 0 ${spec.width} ${tall}"><metadata>${NOTICE}</metadata><rect width="100%" height="100%" fill="#fff"/>`)
      .replace(/<\/svg>\s*$/, `${inner}<text x="${spec.width - 8}" y="${tall - 8}" text-anchor="end" font-family="sans-serif" font-size="12" fill="#595959">${NOTICE}</text></svg>`);
  }
  async function save(kind) {
    let blob = new Blob([whole()], { type: "image/svg+xml" });
    if (kind === "png") {
      const image = new Image();
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(whole())}`;
      await image.decode();
      const canvas = h("canvas", { width: 2 * spec.width, height: 2 * (spec.height + 24) });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    }
    const link = h("a", { href: URL.createObjectURL(blob), download: `${spec.name}.${kind}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
  const help = h("div", { className: "pe-help", hidden: true, aria: { role: "dialog", label: "Keys" } });
  help.append(h("table", {}, ...KEYS.map(([keys, what]) => h("tr", {}, h("th", {}, keys), h("td", {}, what)))));
  const toggleHelp = () => (help.hidden = !help.hidden);

  // ── layout: two rows of controls; what does not fit in the second stands under More ──
  const coverButton = h("button", { aria: { pressed: String(!!covered) }, on: { click: () => cover(!covered) } }, covered ? "Show the answer" : "Cover");
  const moreButton = h("button", { aria: { expanded: "false" }, on: { click: () => { more.hidden = !more.hidden; moreButton.setAttribute("aria-expanded", String(!more.hidden)); } } }, "More");
  const icons = [
    h("button", { className: "pe-icon", title: "full screen (F)", aria: { label: "Full screen" }, innerHTML: CORNERS, on: { click: grow } }),
    h("button", { className: "pe-icon", title: "keys (?)", aria: { label: "Keys" }, on: { click: toggleHelp } }, "?"),
  ];
  const saving = ["svg", "png"].map((kind) => h("button", { on: { click: () => save(kind) } }, `Save ${kind.toUpperCase()}`));
  const inRow = [...spec.shown.map((name) => controls[name].root), ...presets, reset];
  const rest = spec.controls.filter(({ name }) => name !== spec.play && !spec.shown.includes(name)).map(({ name }) => controls[name].root);
  const first = h("div", { className: "pe-row pe-played" }, ...(played ? [playButton, played.root] : []));
  const items = h("div", { className: "pe-items" });
  const second = h("div", { className: "pe-row" }, items, ...(spec.canCover ? [coverButton] : []), moreButton, ...icons);
  const more = h("div", { className: "pe-row pe-more", hidden: true });
  const sheet = h("div", { className: "pe-sheet", tabIndex: 0, aria: { role: "img", label: "" } });
  const message = h("p", { className: "pe-message", hidden: true, aria: { role: "alert" } });
  const stage = h("div", { className: "pe-stage", on: { mousemove: point, mouseleave: () => (hover.hidden = true), click } }, sheet, hover, message, help);
  const root = h("div", { className: "pe-explorer", aria: { role: "group", label: spec.title } }, ...(played ? [first] : []), second, more, stage);
  root.style.setProperty("--ratio", spec.width / spec.height);
  host.append(root);
  function say(words) {
    message.textContent = words;
    message.hidden = !words;
  }
  function fit() {
    items.replaceChildren(...inRow);
    more.replaceChildren(...rest, ...(played ? [speedButton] : []), ...saving);
    const room = items.getBoundingClientRect();
    if (!room.width) return;
    const beyond = inRow.filter((item) => item.getBoundingClientRect().right > room.right + 1);
    more.prepend(...beyond);
  }
  const resized = new ResizeObserver(fit);
  resized.observe(second);

  // ── keys ──
  function keydown(event) {
    const at = event.target, typing = at.tagName === "SELECT" || (at.tagName === "INPUT" && at.type === "text");
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.startsWith("Page")) return;
    const name = event.key.toLowerCase(), digit = /^[0-9]$/.test(name) ? Number(name) : undefined;
    let taken = true;
    if (name === "escape" && !help.hidden) toggleHelp();
    else if (name === "escape" && root.classList.contains("pe-whole")) shrink();
    else if (typing) return event.stopPropagation();
    else if (digit === 0) reset.click();
    else if (digit && presets[digit - 1]) presets[digit - 1].click();
    else if (name === "f") grow();
    else if (name === "a") cover(!covered);
    else if (name === "?") toggleHelp();
    else if (name === " " && played && !["BUTTON"].includes(at.tagName) && at.type !== "checkbox") playing ? pause() : play();
    else if (at === sheet && played && ["arrowleft", "arrowright"].includes(name)) pause(), played.step(name === "arrowright" ? 1 : -1);
    else taken = false;
    if (taken) event.preventDefault();
    if (taken || name.startsWith("arrow") || name === " " || name === "enter") event.stopPropagation();
  }
  root.addEventListener("keydown", keydown);
  const unfollow = followTheme(root);

  source.listen?.(answered);
  request({}, { fresh: true });
  return {
    answered,
    end() {
      pause();
      clearTimeout(late);
      clearTimeout(told);
      resized.disconnect();
      unfollow();
      document.removeEventListener("fullscreenchange", left);
    },
  };
}

// Put a question into an element: choose first, then ask for the answer.
function mountPrediction(host, { question, choices }) {
  const group = `pe-${Math.random().toString(36).slice(2)}`;
  const reasons = choices.map(([, reason, right]) => h("span", { className: "pe-reason", hidden: true }, `${right ? "✓ Right." : "✗"} ${reason}`));
  const inputs = choices.map(() => h("input", { type: "radio", name: group, on: { change: () => (ask.disabled = false) } }));
  const labels = choices.map(([choice], k) => h("label", { className: "pe-choice" }, inputs[k], choice));
  const ask = h("button", { disabled: true, on: { click: answer } }, "Show the answer");
  const said = h("p", { className: "pe-said", aria: { role: "status" } });
  function answer() {
    const taken = inputs.findIndex((input) => input.checked), [, , right] = choices[taken];
    said.textContent = right ? "Yes." : `Not this time: it is “${choices.find((choice) => choice[2])[0]}”.`;
    reasons.forEach((reason) => (reason.hidden = false));
  }
  const list = choices.flatMap((_, k) => [labels[k], reasons[k]]);
  const asked = h("legend", {}, question);
  const root = h("fieldset", { className: "pe-prediction", on: { keydown: (event) => event.key.length === 1 && event.stopPropagation() } }, asked, ...list, ask, said);
  host.append(root);
  return { end: followTheme(root) };
}

// In JupyterLab: a widget, whose kernel makes the pictures.
function render({ model, el }) {
  const spec = model.get("spec");
  if (spec.question) return mountPrediction(el, spec).end;
  let view;
  const heard = (answer) => view?.answered(answer);
  model.on("msg:custom", heard);
  view = mountExplorer(el, spec, { ask: (request) => model.send(request), tell: (request) => model.send(request) });
  return () => (model.off("msg:custom", heard), view.end());
}

// On pages and slides: pictures from a pack, without a kernel.
const packs = (globalThis.pePacks ??= {}); // name → text, gzipped and in base64, as the packs' own scripts leave it
const fetched = new Map(); // address of a pack's script → when it has run

function fetchPack(address) {
  if (!fetched.has(address)) {
    fetched.set(address, new Promise((done, failed) => document.head.append(h("script", { src: address, onload: done, onerror: failed }))));
  }
  return fetched.get(address);
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
  const near = (a, b) => (typeof a === "number" && typeof b === "number" ? Math.min(Math.abs(a - b) / (1 + Math.abs(b)), 0.9) : 1);
  function nearest(wanted, asked) {
    const far = ({ values }) => Object.keys(values).reduce((sum, name) => sum + (values[name] === wanted[name] ? 0 : near(values[name], wanted[name]) * (name in asked ? 100 : name === played ? 0.1 : 1)), 0);
    return all.reduce((best, state) => (far(state) < far(best) ? state : best));
  }
  const sorted = (values) => [...new Set(values)].sort((a, b) => (typeof a === "number" ? a - b : 0));
  function limits(values) {
    const beside = ({ values: other }) => Object.keys(values).every((name) => name === played || other[name] === values[name]);
    return Object.fromEntries(spec.controls.map(({ name, kind }) => {
      const options = sorted(all.filter((state) => name !== played || beside(state)).map((state) => state.values[name]));
      return [name, kind === "choice" ? options : { options }];
    }));
  }
  for (const control of spec.controls) {
    if (control.kind === "slider") control.kind = "steps";
    if (control.kind === "text") control.kind = "choice";
    control.options = sorted(all.map((state) => state.values[control.name]));
  }
  const fixed = new Set(spec.controls.filter(({ options }) => options.length < 2).map(({ name }) => name));
  spec.controls = spec.controls.filter(({ name }) => !fixed.has(name));
  spec.shown = spec.shown.filter((name) => !fixed.has(name));
  const there = (state) => all.some(({ values }) => Object.entries({ ...spec.start, ...state }).every(([name, value]) => values[name] === value));
  spec.presets = Object.fromEntries(Object.entries(spec.presets).filter(([, state]) => there(state)));
  let listener;
  const begin = address ? fromAddress(spec) : {};
  return {
    listen: (show) => (listener = show),
    ask({ set = {}, values, fresh, number }) {
      const asked = fresh ? begin : set;
      const { values: found, rest: [behind, moving, words, targets] } = nearest({ ...values, ...asked }, asked);
      const answer = { number, values: found, limits: limits(found), background: svg(behind), moving: svg(moving), words: lines[words], targets: JSON.parse(lines[targets]), message: "" };
      queueMicrotask(() => listener(answer));
    },
    shown: address ? (values) => history.replaceState(null, "", toAddress(values, spec)) : undefined,
  };
}

function fromAddress({ controls, start }) {
  const given = new URLSearchParams(location.hash.slice(1));
  const read = (name, text) => (typeof start[name] === "number" ? Number(text) : typeof start[name] === "boolean" ? text === "true" : text);
  return Object.fromEntries(controls.filter(({ name }) => given.has(name)).map(({ name }) => [name, read(name, given.get(name))]));
}

function toAddress(values, { controls, start }) {
  const changed = controls.filter(({ name }) => values[name] !== start[name]).map(({ name }) => [name, values[name]]);
  return changed.length ? `#${new URLSearchParams(changed)}` : location.pathname + location.search;
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
    mountExplorer(host, spec, source);
  }
  for (const host of document.querySelectorAll("[data-explorer]")) seen.observe(host);
  for (const host of document.querySelectorAll("[data-question]")) mountPrediction(host, JSON.parse(host.dataset.question));
}

if (globalThis.pePage) document.readyState === "loading" ? addEventListener("DOMContentLoaded", fillPage) : fillPage();
