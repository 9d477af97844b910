// Tasks below a picture. Each ticks when the picture rests at its state, or has rested at its states one after the other;
// one without a state is a plain sentence. What is done is kept by this browser.

const DONE = "pe-done"; // in its storage: for each list of tasks, which are done
const RESTS = 300; // milliseconds

function doneSoFar() {
  try {
    const kept = JSON.parse(localStorage.getItem(DONE));
    return Object.fromEntries(Object.entries(kept ?? {}).filter(([, done]) => Array.isArray(done)));
  } catch {
    return {}; // some frames have no storage
  }
}

function makeTasks({ name, tasks, done }) {
  const ticked = new Set(doneSoFar()[name]), come = tasks.map(() => 0); // how many states of each path it has come to
  const items = tasks.map(({ says }) => h("li", {}, ...says.split("*").map((part, k) => h(k % 2 ? "em" : "span", {}, part))));
  const said = h("p", { className: "pe-said" }), heard = h("p", { className: "pe-heard", aria: { role: "status" } });
  const again = h("button", { on: { click: restart } }, "Begin the tasks again");
  const root = h("div", { className: "pe-tasks" }, h("ol", {}, ...items), said, heard, again);
  const meets = (state, wanted) => Object.entries(wanted).every(([field, value]) =>
    Array.isArray(value) ? value[0] <= state[field] && state[field] <= value[1] : state[field] === value,
  );
  function show(news = "") {
    items.forEach((item, k) => {
      item.classList.toggle("pe-decided", tasks[k].when.length > 0);
      item.classList.toggle("pe-done", ticked.has(k));
      item.setAttribute("aria-label", `${item.textContent}${ticked.has(k) ? " (done)" : ""}`);
    });
    const all = tasks.every(({ when }, k) => !when.length || ticked.has(k));
    said.textContent = all && ticked.size ? done : "";
    heard.textContent = news && `${news} ${said.textContent}`;
    again.hidden = !ticked.size;
  }
  function keep() {
    try {
      localStorage.setItem(DONE, JSON.stringify({ ...doneSoFar(), [name]: [...ticked] }));
    } catch {}
  }
  function restart() {
    ticked.clear();
    come.fill(0);
    keep();
    show();
  }
  function rest(state) {
    const news = [];
    for (const [k, { when }] of tasks.entries()) {
      if (!when.length || ticked.has(k)) continue;
      if (meets(state, when[come[k]])) come[k]++;
      if (come[k] === when.length) ticked.add(k), news.push(`Task ${k + 1} is done.`);
    }
    if (news.length) keep(), show(news.join(" "));
  }
  show();
  const fields = new Set(tasks.flatMap(({ when }) => when.flatMap(Object.keys)));
  return { root, rest, fields };
}
