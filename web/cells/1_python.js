// The cells of a page can be changed and run. Python is fetched when the first letter is typed or the first cell is
// run; it lives in a worker until the page is left, or until Stop ends it.
const { pyodide, library, workerSource, exercises } = globalThis.peCells; // written by the builder
const here = document.currentScript.src;
const NOT_FETCHED = "Python could not be fetched. Is there a network? Nothing you wrote is lost; Run tries again.";
const GONE = "Python was stopped. Run this cell again.";
const BROKEN = "Python broke down and starts again, without the names of your cells.";
const NOT_KEPT = "Your browser doesn't keep this: its storage is full or shut.";
const ALL = 16e6, SAID = 10; // bytes that come before Python starts, unpacked; megabytes that the page speaks of

const el = (tag, given = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), given);
  made.append(...inside);
  return made;
};
const script = (name) => new Promise((onload, onerror) => {
  document.head.append(el("script", { src: new URL(name, here), onload, onerror }));
});

let python; // the one that is alive
class Python {
  ran = new Set(); // cells, as they are written now
  turn = Promise.resolve(); // kept when the cell that runs has ended
  views = new Map(); // by the number of something live: what hears of it

  constructor() {
    python = this;
    // A file may not start a module worker from a blob, and to a server one from a data address would be a stranger.
    const kind = "text/javascript";
    const address = location.protocol === "file:"
      ? `data:${kind},${encodeURIComponent(workerSource)}`
      : URL.createObjectURL(new Blob([workerSource], { type: kind }));
    this.worker = new Worker(address, { type: "module" });
    this.ended = new Promise((_, refuse) => (this.refuse = refuse));
    this.ended.catch(() => {}); // who waits for it hears of it
    this.worker.onmessage = ({ data }) => this.#heard(data);
    this.worker.onerror = () => this.end(this.lives ? BROKEN : NOT_FETCHED);
    this.begun = this.#begin().catch(() => this.end(NOT_FETCHED));
  }

  async #begin() {
    if (!globalThis.pePython) await script(library);
    const { library: archive, source } = globalThis.pePython;
    const held = Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0));
    const folder = Object.fromEntries(Object.keys(exercises).map((name) => [`${name}.ipynb`, ""]));
    folder[".solved.json"] = JSON.stringify(read(SOLVED, []));
    this.post({ kind: "start", pyodide: new URL(pyodide, here).href, library: held, source, folder });
  }

  post(message) {
    this.worker.postMessage(message);
    return true;
  }

  // Run some code; `hear` gets what it puts out. Resolves to what the worker says in the end, or throws if Python ends.
  async run(name, code, hear) {
    await Promise.race([this.begun, this.ended]);
    const done = new Promise((resolve) => (this.job = { hear, resolve }));
    this.post({ kind: "run", name, code });
    return Promise.race([done, this.ended]);
  }

  #heard(data) {
    if (data.kind === "missing" || data.kind === "broken") {
      console.warn(data.text);
      this.end(data.kind === "missing" ? NOT_FETCHED : BROKEN);
    } else if (data.kind === "come") {
      const first = `Fetching Python: ${Math.min(SAID, Math.round((SAID * data.bytes) / ALL))} of about ${SAID} MB`;
      const words = this.lives ? `Fetching what is imported: ${Math.round(data.bytes / 1e6)} MB so far` : first;
      for (const cell of cells) if (cell.waits) cell.say(words);
    } else if (data.of !== undefined) this.views.get(data.of)?.(data);
    else if (data.kind === "done") this.job.resolve(data);
    else {
      if (data.kind === "running") this.lives = true;
      this.job.hear(data);
    }
  }

  // What an explorer asks for its states.
  source(number) {
    const ask = (request) => python === this && this.post({ kind: "ask", number, request });
    const gone = { message: GONE, values: {} };
    return { ask, tell: ask, listen: (hear) => this.views.set(number, ({ answer }) => hear(answer ?? gone)) };
  }

  end(words) {
    this.worker.terminate();
    if (python === this) python = undefined;
    this.refuse(new Error(words));
    for (const hear of this.views.values()) hear({ kind: "gone" });
  }
}

// What the browser keeps: for each page the code that was changed, and the exercises that are solved.
const PAGE = location.pathname.split("/").pop().replace(/\.html$/, "");
const CODE = `pe-code ${PAGE}`, SOLVED = "pe-solved";
function read(key, otherwise) { // what is kept, if it is of the kind that is expected
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    return kept && kept.constructor === otherwise.constructor ? kept : otherwise;
  } catch {
    return otherwise;
  }
}
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false; // a private window, or no room: then it lasts as long as the page
  }
}
