// What scrolls sideways can be focused, so that the arrow keys reach all of it.
function reach() {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .pe-table, .math-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", reach);

// Formulas come once the first pictures move: what sets them is the largest file of a page.
function setFormulas() {
  const script = document.querySelector("script[type='text/later']");
  if (!script) return;
  script.remove();
  document.head.append(Object.assign(document.createElement("script"), { src: script.src, onload: () => MathJax.startup?.promise.then(reach) }));
}
document.querySelector("[data-explorer]") ? addEventListener("pe-filled", setFormulas, { once: true }) : addEventListener("load", setFormulas);
addEventListener("resize", reach);
