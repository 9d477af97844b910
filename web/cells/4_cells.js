// The cells.
const cells = [...document.querySelectorAll(".pe-cell")].map(cellOf);
// What every section needs: the first cell that imports what exercises call, or on a page without any the first of all.
const setUp = cells.find(({ original }) => /^from pe_exercises import check\b/m.test(original)) ?? cells[0];

function cellOf(root, place) {
  const pre = root.querySelector("pre"), original = pre.textContent.trimEnd(), id = root.dataset.cell;
  const exercise = root.dataset.exercise, own = "own" in root.dataset;
  const label = exercise ? `Exercise: ${exercise}` : own ? "A cell of your own" : `Cell ${place + 1}`;
  const stored = root.querySelector(".pe-stored");
  const out = el("div", { className: "pe-out", hidden: true, ariaLive: exercise ? "polite" : "off" });
  const state = el("span", { className: "pe-state", role: "status" });
  const mark = el("span", { className: "pe-mark", textContent: "● solved", hidden: true });
  const cell = { root, id, original, exercise, mark, alone: exercise || own, name: `cell ${place + 1}` };

  const button = (textContent, onclick, more) => {
    const made = el("button", { type: "button", textContent, onclick, ariaLabel: `${textContent}: ${label}`, ...more });
    made.addEventListener("keydown", (event) => event.repeat && event.preventDefault()); // a held key presses once
    return made;
  };
  const go = button("Run", () => run(cell), { title: "Ctrl+Enter" });
  const end = button("Stop", stop, { hidden: true });
  const again = button("Start again", reset, { hidden: true });
  const text = editor(pre, label, changed, () => run(cell));
  const hint = el("span", { className: "pe-hint", textContent: "Escape, then Tab, leaves", ariaHidden: "true" });
  const bar = el("div", { className: "pe-bar" }, go, end, again, mark, state, hint);
  if (own) again.after(button("Save as a notebook", save, { title: "this page, with what you wrote" }));
  if (own && exercises[PAGE]?.length) {
    const who = el("input", { className: "pe-who", placeholder: "Your name", ariaLabel: "Your name", autocomplete: "name" });
    const copy = button("Copy my results", async () => cell.say(await copied(resultsOf(who.value))), { title: "a line for your teacher" });
    state.before(who, copy);
  }
  pre.closest("[class^=highlight-]").after(bar);
  root.append(out);

  function changed(code) {
    if (!python) getReady(cell); // whoever writes will run it
    python.ran.delete(cell);
    again.hidden = code === original;
    const { [id]: _, ...others } = read(CODE, {});
    if (!write(CODE, code === original ? others : { ...others, [id]: { code, of: original } })) cell.say(NOT_KEPT);
  }
  function reset() {
    text.write(original);
    clear();
    if (stored) stored.hidden = false;
    cell.say("");
  }
  function clear() {
    out.replaceChildren();
    out.hidden = true;
  }
  function offer(running) {
    const focused = document.activeElement === (running ? go : end);
    go.hidden = running;
    end.hidden = !running;
    if (focused) (running ? end : go).focus();
  }

  let timer;
  Object.defineProperty(cell, "code", { get: () => text.area.value });
  cell.say = (words) => (state.textContent = words);
  cell.begin = () => {
    offer(true);
    clear();
    cell.say("Waiting for Python");
    cell.waits = true;
  };
  cell.end = (words = "") => {
    cell.running = undefined;
    cell.waits = false;
    clearTimeout(timer);
    offer(false);
    cell.say(words);
    if (stored && !words) stored.hidden = true;
    for (const box of out.querySelectorAll("pre, .pe-table")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  };
  cell.hear = (data) => {
    if (data.kind === "running") {
      clearTimeout(timer);
      timer = setTimeout(() => cell.say("Still running. Stop ends it."), 15_000);
      cell.waits = false;
      return cell.say("Running");
    }
    if (data.kind === "afresh") return clear();
    put(out, data, cell);
    if (stored) stored.hidden = true;
    out.hidden = false;
  };

  const kept = read(CODE, {})[id];
  if (typeof kept?.code === "string") {
    text.show(kept.code);
    again.hidden = false;
    if (kept.of !== original) cell.say("This page has changed since you wrote this.");
  }
  return cell;
}

// Start Python, and run the set-up cell quietly unless that is the one that is being written.
function getReady(writing) {
  const mine = new Python(), { code } = setUp;
  const ready = ({ well }) => well && setUp.code === code && mine.ran.add(setUp);
  if (setUp !== writing) mine.turn = mine.run(setUp.name, code, () => {}).then(ready, () => {}); // Run would say what is wrong
}

// The set-up cell, and the cells above in the section, as far as they have not run as they are written now.
function needed(cell, { ran }) {
  const section = cell.root.closest("#furo-main-content > section > section") ?? cell.root.closest("section");
  const above = cells.slice(0, cells.indexOf(cell)).filter((one) => !one.alone && section.contains(one.root));
  return [...new Set([setUp, ...(cell.alone ? [] : above)])].filter((one) => one !== cell && !ran.has(one));
}

const run = (cell) => (cell.running ??= work(cell)); // what is said in the end
async function work(cell) {
  cell.begin();
  const mine = (python ??= new Python()), before = mine.turn;
  let words, over;
  mine.turn = new Promise((resolve) => (over = resolve));
  try {
    await before;
    for (const one of [...needed(cell, mine), cell]) {
      const may = one.root.querySelector(":scope > details"); // the closed checks of a section may fail where it was changed
      const hear = (data) => {
        if (one === cell || data.kind === "running" || (data.kind === "error" && !may)) cell.hear(data);
      };
      const { well, solved } = await mine.run(one.name, one.code, hear);
      if (well) {
        mine.ran.add(one);
        one.root.dispatchEvent(new Event("pe-ran", { bubbles: true })); // a question above may have waited for this
      } else if (!may) break;
      if (solved) keepSolved(solved);
    }
  } catch (trouble) {
    words = trouble.message;
  }
  over();
  cell.end(words);
  return words ?? "";
}

function stop() {
  python?.end("Stopped. Python starts again, without the names of your cells.");
  new Python();
}

// Put what was written into the notebook of this page, or into a new one where the page has none.
async function save() {
  const notebook = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  if (PAGE in exercises) {
    await script(`notebook-${PAGE}.js`);
    Object.assign(notebook, structuredClone(globalThis.peNotebook));
  }
  for (const { id, code: source } of cells) {
    const there = notebook.cells.find((one) => one.id === id);
    const made = { cell_type: "code", id, metadata: {}, execution_count: null, outputs: [], source };
    if (there) there.source = source;
    else if (source.trim()) notebook.cells.push(made);
  }
  const file = new Blob([JSON.stringify(notebook, null, 1), "\n"], { type: "application/x-ipynb+json" });
  el("a", { href: URL.createObjectURL(file), download: `${PAGE}.ipynb` }).click();
}

// A line for a teacher: who, which page, what is solved on it, how many in all, and when.
function resultsOf(who) {
  const solved = new Set(read(SOLVED, [])), done = (names) => names.filter((name) => solved.has(name));
  const count = (names) => `${done(names).length} of ${names.length}`, mine = exercises[PAGE];
  const named = done(mine).length ? `: ${done(mine).join(", ")}` : "", day = new Date();
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
  const page = document.querySelector("h1").firstChild.textContent.trim();
  return [who.trim() || "(no name)", page, `solved ${count(mine)}${named}`, `in all ${count(Object.values(exercises).flat())}`, date].join(" | ");
}

async function copied(line) { // what is said of it
  try {
    await navigator.clipboard.writeText(line);
    return `Copied: ${line}`;
  } catch {
    return `This browser lets no page copy. Copy this line: ${line}`;
  }
}

// Which exercises are solved: a mark at the exercise, at its section, and at every page in the contents.
function keepSolved(names) {
  const all = new Set([...read(SOLVED, []), ...names]);
  if (all.size > read(SOLVED, []).length) write(SOLVED, [...all]);
  tick(all);
}

function tick(solved) {
  const asked = cells.filter(({ exercise }) => exercise);
  for (const { exercise, mark } of asked) mark.hidden = !solved.has(exercise);
  for (const link of document.querySelectorAll(".toc-tree a[href^='#']")) {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const inside = asked.filter(({ root }) => root.closest("section") === section);
    marked(link, inside.map(({ exercise }) => exercise), solved);
  }
  for (const link of document.querySelectorAll(".sidebar-tree a.internal")) {
    const name = link.pathname.split("/").pop().replace(/\.html$/, "");
    marked(link, exercises[name] ?? [], solved);
  }
}

function marked(link, names, solved) {
  const done = names.filter((name) => solved.has(name)).length;
  link.querySelector(".pe-ticks")?.remove();
  if (done) {
    const textContent = names.map((name) => (solved.has(name) ? "●" : "○")).join("");
    const ariaLabel = `${done} of ${names.length} exercises solved`;
    link.append(" ", el("span", { className: "pe-ticks", role: "img", textContent, ariaLabel }));
  }
}

tick(new Set(read(SOLVED, [])));
