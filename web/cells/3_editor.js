// An editor: a transparent text area that lies over its own coloured text.
const WORDS = `False None True and as assert async await break class continue def del elif else except finally for from
  global if import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/).join("|");
const TEXT = String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`;
const PARTS = new RegExp( // by the names of Pygments, so that the colours of the theme are theirs
  String.raw`(?<c1>#.*)|(?<s2>[rbfRBF]{0,2}(?:${TEXT}))|(?<mi>\b\d[\w.]*)|(?<k>\b(?:${WORDS})\b)` +
  String.raw`|(?<n>[^\W\d]\w*)|(?<o>[-+*/%@&|^~<>=!.]+)`, "g",
);

function coloured(code) {
  const parts = [];
  let at = 0;
  for (const found of code.matchAll(PARTS)) {
    const [className] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    parts.push(code.slice(at, found.index), el("span", { className, textContent: found[0] }));
    at = found.index + found[0].length;
  }
  return [...parts, code.slice(at), "\n"];
}

// `changed` hears of every change; `enter` is called for Control and Enter.
function editor(pre, label, changed, enter) {
  const area = el("textarea", { value: pre.textContent.trimEnd(), spellcheck: false, wrap: "off", rows: 1 });
  for (const [name, value] of Object.entries({
    autocapitalize: "off", autocomplete: "off", autocorrect: "off", "aria-label": label,
    "aria-description": "Control and Enter runs it. Once you type, Tab indents; Escape, then Tab, leaves.",
  })) area.setAttribute(name, value);
  pre.ariaHidden = "true"; // it says the same
  const paint = () => pre.replaceChildren(...coloured(area.value));
  let typing = false, leaving = false; // Tab leaves until something is typed or clicked, and after Escape
  const types = (on) => area.classList.toggle("pe-types", (typing = on));

  function put(text) { // so that Undo knows of it; no other way of writing does
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input"));
    }
  }
  function indent(back) { // the lines that are marked
    const { selectionStart: from, selectionEnd: to, value } = area, head = value.lastIndexOf("\n", from - 1) + 1;
    const lines = value.slice(head, to);
    area.setSelectionRange(head, to);
    put(back ? lines.replace(/^ {1,4}/gm, "") : lines.replace(/^(?=.)/gm, "    "));
    area.setSelectionRange(from === to ? area.selectionEnd : head, area.selectionEnd);
  }
  const keys = {
    Enter(event, line) {
      if (!(event.ctrlKey || event.metaKey || event.shiftKey)) {
        put("\n" + line.match(/^ */)[0] + (line.trimEnd().endsWith(":") ? "    " : ""));
      } else if (!event.repeat) enter();
      return true;
    },
    Tab(event, line, marked) {
      if (leaving || !typing) return false;
      if (marked || event.shiftKey) indent(event.shiftKey);
      else put(" ".repeat(4 - (line.length % 4)));
      return true;
    },
    Backspace(_, line, marked) {
      if (marked || !line || line.trim()) return false;
      area.selectionStart -= ((line.length - 1) % 4) + 1;
      document.execCommand("delete");
      return true;
    },
  };
  area.addEventListener("input", () => (types(true), paint(), changed(area.value)));
  area.addEventListener("pointerdown", () => types(true));
  area.addEventListener("blur", () => types((leaving = false)));
  area.addEventListener("keydown", (event) => {
    const { selectionStart: from, selectionEnd: to, value } = area;
    const line = value.slice(value.lastIndexOf("\n", from - 1) + 1, from);
    if (keys[event.key]?.(event, line, from !== to)) event.preventDefault();
    leaving = event.key === "Escape" || (leaving && event.key === "Shift");
    event.stopPropagation(); // of the page's own keys none is meant
  });
  pre.after(area);
  pre.parentElement.classList.add("pe-editor");
  paint();
  return {
    area,
    show(code) {
      area.value = code;
      paint();
    },
    write(code) { // as if it had been typed
      area.focus();
      area.select();
      put(code);
    },
  };
}
