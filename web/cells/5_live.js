// The pictures of a page before anything has run hold some states. Whoever asks for another one, which only typing can, has
// the cell run; its explorer goes on with what is asked for.
globalThis.peLive = (host) => {
  const cell = cells.find(({ root }) => root.contains(host));
  return cell && (() => ((cell.woken = true), run(cell)));
};

// Let an explorer of Python's go on where the page's own is, or where the address says, if that one could not follow.
// Returns what brings along the focus, and the words that are being typed.
function goOn(cell, spec, source) {
  const packed = cell.root.querySelector(".pe-stored [data-explorer]");
  if (!packed?.explorer) return;
  source.copy = (values) => packed.copy(values, spec.controls);
  source.start = cell.woken ? packed.explorer.state() : packed.asked;
  if (source.start) spec.opens = false;
  cell.woken = packed.asked = undefined;
  const labelled = (input) => input.ariaLabel ?? input.parentElement.textContent;
  const before = document.activeElement, { selectionStart, selectionEnd } = before;
  packed.explorer.begin(); // or it would ask for what is being typed again
  if (!packed.contains(before) || selectionStart === undefined) return;
  const name = labelled(before);
  return (host) => {
    const boxes = [...host.querySelectorAll(".pe-field input[type=text]")];
    const box = boxes.find((input) => labelled(input) === name);
    if (!box) return;
    if (!box.offsetParent) host.querySelector("[aria-expanded]").click(); // it lies under More
    box.focus({ preventScroll: true });
    box.setSelectionRange(selectionStart, selectionEnd);
  };
}
