// What a cell puts out.
function prose(text) { // as much of Markdown as the library uses: paragraphs, numbered lists, bold, code, formulas
  const said = text.replace(/\*\*(.+?)\*\*/g, "<b>$1</b>").replace(/`(.+?)`/g, "<code>$1</code>")
    .replace(/\$(.+?)\$/g, "\\($1\\)");
  return said.trim().split("\n\n").map((part) => {
    const items = part.split(/^\d+\. /m).slice(1);
    return items.length ? `<ol>${items.map((item) => `<li>${item}</li>`).join("")}</ol>` : `<p>${part}</p>`;
  }).join("");
}
// A table with links between notebooks; an empty head of a column or a row is none.
const tableOf = (text) => text.replace(/(href="[^"]*)\.ipynb\b/g, "$1.html").replace(/<th>\s*<\/th>/g, "<td></td>");
const show = {
  text: ({ text, feedback }) => el("pre", { className: feedback ? `pe-told pe-${feedback}` : "", textContent: text }),
  error: ({ text }) => el("pre", { className: "pe-error", textContent: text }),
  html: ({ text }) => el("div", { className: "pe-table", innerHTML: tableOf(text) }),
  svg: ({ text }) => {
    const src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    return el("img", { className: "pe-drawn", src, alt: "drawn by this cell" });
  },
  picture({ title, size: [wide, high], background, moving, words }) {
    const sheet = el("div", { className: "pe-sheet" }), says = el("p", { className: "pe-says" });
    sheet.style.aspectRatio = wide / high;
    sheet.attachShadow({ mode: "open" }).innerHTML = `<style>${RULES}${LAYERS}</style>
      <div class="picture"><div class="lay">${background}</div><div class="move">${moving}</div></div>`;
    says.append(...title.map(([text, kind]) => el("span", { className: kind && `pe-${kind}`, textContent: text })));
    return el("div", { className: "pe-place" }, el("div", { className: "pe-still", role: "img", ariaLabel: words }, says, sheet));
  },
  markdown({ text }) {
    const host = el("div"), escaped = el("i", { textContent: text }).innerHTML;
    const parts = escaped.split(/^```\w*\n([^]*?)\n```$/m); // by turns prose and code
    host.innerHTML = parts.map((part, k) => (k % 2 ? `<pre>${part}</pre>` : prose(part))).join("");
    queueMicrotask(() => globalThis.MathJax?.typesetPromise?.([host]));
    return host;
  },
  question({ spec }) {
    const host = el("div", { className: "pe-place" });
    mountPrediction(host, spec, pageStore(host));
    return host;
  },
  interact({ number, controls }) { // a function of the reader's, called again wherever a control is moved
    const mine = python, inner = el("div");
    const values = Object.fromEntries(controls.map(({ name, value }) => [name, value]));
    let next, calling = true, moved = false; // it is called one time with the first values
    const heard = {
      begin: () => (next = el("div")),
      gone: () => inner.replaceChildren(show.error({ text: GONE })),
      called() {
        inner.replaceChildren(...next.childNodes);
        calling = false;
        if (moved) call();
      },
    };
    mine.views.set(number, (data) => (heard[data.kind] ?? (() => put(next, data)))());
    function call() {
      moved = calling;
      if (!calling) calling = mine.post({ kind: "call", number, values });
    }
    const rows = controls.map((spec) => {
      const control = makeControl(spec, (value) => {
        control.set((values[spec.name] = value));
        call();
      });
      control.set(spec.value);
      return control.root;
    });
    const root = el("div", { className: "pe-explorer" }, el("div", { className: "pe-more" }, ...rows), inner);
    return el("div", { className: "pe-place" }, root);
  },
  explorer({ number, spec }, cell) {
    const host = el("div", { className: "pe-place" }), source = python.source(number);
    const focus = cell && goOn(cell, spec, source);
    queueMicrotask(() => { // once it is in the page
      host.explorer = mountExplorer(host, spec, source);
      focus?.(host);
    });
    return host;
  },
};

// Put something below what is there; what is printed goes on where the last print has ended.
function put(out, data, cell) {
  const last = out.lastElementChild;
  if (data.kind === "text" && !data.feedback && last?.tagName === "PRE" && !last.className) last.append(data.text);
  else out.append(show[data.kind](data, cell));
}
