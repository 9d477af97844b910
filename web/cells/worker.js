// Python, in a thread of its own that the page may end at any time. What is asked waits for what was asked before.
let python, ours;
let line = Promise.resolve();
self.onmessage = ({ data }) => (line = line.then(() => answers[data.kind](data)).catch(broken));
const post = (message) => self.postMessage(message);
const broken = (trouble) => post({ kind: python ? "broken" : "missing", text: String(trouble) });
const get = (code) => python.loadPackagesFromImports(code, { messageCallback() {} });

// The page hears of every megabyte that comes.
const fetchPlainly = self.fetch;
let come = 0, told = 0;
self.fetch = async (...asked) => {
  const answer = await fetchPlainly(...asked);
  const count = new TransformStream({
    transform(part, out) {
      come += part.byteLength;
      if (come - told > 1e6) post({ kind: "come", bytes: (told = come) });
      out.enqueue(part);
    },
  });
  return answer.body ? new Response(answer.body.pipeThrough(count), answer) : answer;
};

const answers = {
  async start({ pyodide, library, source, folder }) {
    const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
    const begun = await loadPyodide({ indexURL: pyodide, packages: ["numpy"] });
    begun.unpackArchive(library, "wheel");
    begun.FS.writeFile("/home/pyodide/in_page.py", source);
    ours = begun.pyimport("in_page");
    ours.post = (text) => post(JSON.parse(text));
    ours.enter(JSON.stringify(folder));
    python = begun;
    come = told = 0;
  },
  async run({ name, code }) {
    try {
      await get(code); // NumPy is here; matplotlib, and whatever else a reader may import, comes when a cell imports it
    } catch {
      ours.trouble("What this cell imports could not be fetched. Is there a network?");
      return post({ kind: "done", well: false });
    }
    post({ kind: "running" });
    const fetched = [];
    let lacking;
    while ((lacking = ours.run(name, code, fetched.join()))) { // something that the cell calls imports more
      fetched.push(lacking);
      await get(`import ${lacking}`).catch(() => {}); // then Python says so
      post({ kind: "afresh" });
    }
    post({ kind: "done", well: lacking === "", solved: [...ours.solved()] });
  },
  ask: ({ number, request }) => ours.ask(number, JSON.stringify(request)),
  call: ({ number, values }) => ours.call(number, python.toPy(values)),
};
