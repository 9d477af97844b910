// What stands around a picture: its sentence, the slider that is its axis, chips, and tools in grey words.

const icon = (d, more = "") => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${d}" fill="currentColor"${more}/></svg>`;
const PLAY = icon("M3 1L15 8L3 15Z"), PAUSE = icon("M3 1h4v14H3zM9 1h4v14H9z");
const SLOW = "Play slower", FAST = "Play faster";
const KEYS = [
  ["← →", "one step"],
  ["Page Up, Page Down", "ten steps"],
  ["Home, End", "the first, the last"],
  ["↑ ↓", "one step in the other direction"],
  ["1 2 3 …", "the buttons below the picture, from the left"],
  ["0", "back to the start"],
  ["Space", "play and pause"],
  ["A", "hide the answer, or show it"],
  ["F", "full screen; Escape leads back"],
  ["?", "this list"],
];

// The slider that lies along the picture. `by` hears where it is dragged to and let go.
function makeAxis(spec, { dragged, let_go, play }) {
  const range = h("input", { type: "range", step: "any", aria: { label: spec.label }, on: { change: let_go } });
  hear(range, () => dragged(range.valueAsNumber));
  const button = h("button", { className: "pe-play", on: { click: play } });
  const name = h("span", { className: "pe-along", aria: { hidden: "true" } }, spec.label);
  return { root: h("div", { className: "pe-axis" }, name, button, range), range, button, name };
}

// `spec` as the explorer has it; `acts` are what the buttons do. The picture itself goes into `picture`.
function makeFrame(spec, { axis, controls, acts, hasAddress }) {
  const button = (said, click, more = {}) => h("button", { on: { click }, ...more }, said);
  const picture = h("div", { className: "picture" }, h("div", { className: "lay" }), h("div", { className: "move" }));
  const sheet = h("div", { className: "pe-sheet", tabIndex: -1, aria: { role: "img", label: "" } });
  sheet.attachShadow({ mode: "open" }).append(h("style", {}, RULES + LAYERS), picture);
  const says = h("p", { className: "pe-says" }), aloud = h("p", { className: "pe-heard", aria: { role: "status" } });
  const message = h("p", { className: "pe-message", hidden: true, aria: { role: "alert" } });
  const keys = KEYS.filter(([name]) => spec.upDown || !name.startsWith("↑"));
  const rows = keys.map(([name, what]) => h("tr", {}, h("th", {}, name), h("td", {}, what)));
  const help = h("div", { className: "pe-help", hidden: true, tabIndex: -1, aria: { role: "dialog", label: "Keys" } }, h("table", {}, ...rows));
  const stage = h("div", { className: "pe-stage" }, sheet), pan = h("div", { className: "pe-pan" }, stage);
  const view = h("div", { className: "pe-view" }, pan, help);

  const chips = spec.presets.map(({ name, set, apart }, k) => {
    const title = k < 9 ? `key ${k + 1}` : "", chip = button(name, () => acts.move(set), { title, className: apart ? "pe-apart" : "" });
    chip.mark = (state) => chip.setAttribute("aria-pressed", Object.entries(set).every(([field, value]) => state[field] === value));
    return chip;
  });
  const quiz = button("Quiz me", acts.cover, { aria: { pressed: "false" } });
  const moreButton = button("More", () => open(more.hidden), { aria: { expanded: "false" } });
  const copy = hasAddress && button("Copy link", async () => {
    copy.textContent = (await acts.copy()) ? "Copied" : "Copy the address";
    setTimeout(() => (copy.textContent = "Copy link"), 2000);
  });
  const keysButton = button("?", () => ask(), { aria: { label: "Keys", expanded: "false", haspopup: "dialog" } });
  const tools = [quiz, moreButton, copy, button("Full screen", acts.whole), keysButton];
  const speed = axis && !spec.work && button(FAST, () => (speed.textContent = acts.speed() ? SLOW : FAST));
  const save = button("Save the picture", acts.save);
  const reset = button("Back to the start", acts.reset, { title: "key 0" });
  const bar = h("div", { className: "pe-chips" });
  const foot = h("div", { className: "pe-foot" }, bar, h("div", { className: "pe-tools" }, ...tools));
  const more = h("div", { className: "pe-more", hidden: true });
  const tasks = spec.tasks && makeTasks(spec.tasks);
  const root = h("div", { className: "pe-explorer", aria: { role: "group", label: spec.question || spec.name } });
  root.append(...[says, aloud, view, axis?.root, foot, more, message, tasks?.root].filter(Boolean));
  const open = (on) => ((more.hidden = !on), moreButton.setAttribute("aria-expanded", String(on)));
  let before; // what had the focus, which the list of keys gives back
  function ask(on = help.hidden) {
    if (on) before = root.contains(document.activeElement) ? document.activeElement : keysButton;
    help.hidden = !on;
    keysButton.setAttribute("aria-expanded", String(on));
    (on ? help : before).focus({ preventScroll: true });
  }

  let panned = false;
  // What is shown first stands in the foot as long as there is room, all else under More; what tasks name always stays.
  function fit(narrow, tall) {
    const focused = root.contains(document.activeElement) && document.activeElement; // what is moved loses the focus
    const roots = (names) => names.map((name) => controls[name].root), names = Object.keys(controls);
    const named = roots(names.filter((name) => tasks?.fields.has(name) && name !== spec.play));
    const first = narrow ? named : roots(spec.shown), rest = roots(names).filter((one) => !first.includes(one));
    bar.replaceChildren(...chips, ...first);
    more.replaceChildren(...rest, ...[speed, reset, save].filter(Boolean));
    panned = narrow && !tall;
    root.classList.toggle("pe-narrow", narrow);
    root.classList.toggle("pe-touch", narrow || matchMedia("(pointer: coarse)").matches);
    root.classList.toggle("pe-tall", tall);
    root.classList.remove("pe-wraps");
    const last = () => [...bar.children].findLast((one) => !tasks || !(chips.includes(one) || named.includes(one)));
    while (!narrow && foot.scrollWidth > foot.clientWidth) {
      if (last()) more.prepend(last());
      else if (root.classList.toggle("pe-wraps")) break;
    }
    root.style.setProperty("--zoom", sheet.clientWidth / spec.sheets[tall ? "tall" : "wide"][0]);
    if (focused) focused.focus({ preventScroll: true });
  }
  function tell(title, covered) {
    const parts = covered && spec.question ? [[spec.question, ""]] : title;
    const said = parts.map(([text, kind]) => (kind === "held" && covered ? "…" : text));
    const now = JSON.stringify([parts, said]);
    if (tell.last === now) return;
    tell.last = now;
    says.replaceChildren(...parts.map(([, kind], k) => h("span", { className: kind === "here" ? "pe-here" : "" }, said[k])));
  }
  function place(ends, [wide, high]) { // the slider along the picture: below it, or on it where there is a height
    root.style.setProperty("--ratio", wide / high);
    if (!axis) return;
    const [from, to, y] = panned || !ends ? [0.16 * wide, 0.96 * wide] : ends, place = y === undefined ? root : stage;
    if (axis.root.parentNode !== place) place.insertBefore(axis.root, y === undefined ? foot : null);
    axis.root.classList.toggle("pe-on-sheet", y !== undefined);
    axis.name.hidden = !!ends; // the axis of the picture says it
    for (const [name, share] of [["from", from / wide], ["long", (to - from) / wide], ["down", (y ?? 0) / high]]) {
      axis.root.style.setProperty(`--${name}`, `${100 * share}%`);
    }
  }
  function follow() { // a picture that is wider than the panel, to where one is
    if (!panned) return;
    const marks = [...picture.querySelectorAll(".e-here, .f-here")].map((mark) => mark.getBoundingClientRect());
    const middle = marks.reduce((sum, { left, right }) => sum + (left + right) / 2, 0) / marks.length;
    const { left, width } = pan.getBoundingClientRect();
    if (marks.length) pan.scrollBy({ left: middle - left - width / 2, behavior: calm.matches ? "auto" : "smooth" });
  }
  return {
    follow, tasks, root, stage, sheet, picture, says, help, chips, open, ask, fit, tell, place,
    mark: (state) => chips.forEach((chip) => chip.mark(state)),
    read: () => aloud.textContent === says.textContent || (aloud.textContent = says.textContent),
    say: (words) => ((message.textContent = words), (message.hidden = !words)),
    covered(on) {
      quiz.textContent = on ? "Show the answer" : "Quiz me";
      quiz.setAttribute("aria-pressed", String(on));
    },
    playing(on) {
      if (!axis) return;
      axis.button.innerHTML = (on ? PAUSE : PLAY) + (spec.work && !on ? `<span>${spec.work}</span>` : "");
      axis.button.setAttribute("aria-label", on ? "Pause" : spec.work || "Play");
    },
  };
}
