// An image whose next picture is shown only when it is there whole, and names for the controls of the panel around it.

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
  function show() {
    const turn = ++latest;
    const next = document.createElement("img");
    next.style.cssText = "display: block; width: 100%; max-width: 100%";
    next.decoding = "sync"; // painted together with the rest of the page, never a frame later
    next.alt = model.get("words");
    next.onload = () => {
      if (turn !== latest) return; // a newer picture has come meanwhile
      shown.replaceWith(next);
      shown = next;
    };
    next.src = `data:image/png;base64,${model.get("png")}`; // a blob takes a few milliseconds more to load
  }

  let watch;
  function meetPanel() {
    if (latest < 0) return; // taken away before it came onto the page
    if (!el.isConnected) return requestAnimationFrame(meetPanel);
    const panel = el.closest(".pe-explorer");
    if (!panel) return; // an image by itself has no controls
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
  };
}

export default { render };
