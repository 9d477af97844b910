// An image whose next picture is shown only when it is decoded, and names for the controls of the panel around it.

const BUTTONS = { "fa-play": "Play", "fa-pause": "Pause", "fa-stop": "Back to the beginning" };

function nameControls(panel) {
  for (const handle of panel.querySelectorAll("[role=slider]")) {
    const label = handle.closest(".widget-inline-hbox")?.querySelector(".widget-label");
    if (label) handle.setAttribute("aria-label", label.textContent);
  }
  for (const icon of panel.querySelectorAll(".widget-play button > i")) {
    const name = BUTTONS[[...icon.classList].find((kind) => kind in BUTTONS)];
    if (name) icon.parentElement.ariaLabel = icon.parentElement.title = name;
  }
}

function render({ model, el }) {
  let shown = document.createElement("img");
  el.append(shown);

  let latest = 0;
  async function show() {
    const turn = ++latest;
    const next = document.createElement("img");
    next.style.cssText = "display: block; width: 100%; max-width: 100%";
    next.alt = model.get("words");
    next.src = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
    await next.decode().catch(() => null);
    if (turn !== latest) return URL.revokeObjectURL(next.src); // a newer picture has come meanwhile
    shown.replaceWith(next);
    URL.revokeObjectURL(shown.src);
    shown = next;
  }

  let watch;
  function meetPanel() {
    const panel = el.closest(".pe-explorer");
    if (!panel) return requestAnimationFrame(meetPanel); // not on the page yet
    nameControls(panel);
    watch = new MutationObserver((changes) => {
      if (changes.some((change) => !el.contains(change.target))) nameControls(panel); // drawn later, or anew
    });
    watch.observe(panel, { childList: true, subtree: true, attributeFilter: ["class"] }); // play turns into pause
  }

  model.on("change:png", show);
  show();
  meetPanel();
  return () => {
    model.off("change:png", show);
    watch?.disconnect();
    latest = -1;
    URL.revokeObjectURL(shown.src);
  };
}

export default { render };
