// What scrolls sideways can be focused, so that the arrow keys reach all of it.
function reach() {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .pe-table, .math")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", reach);
addEventListener("resize", reach);
