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

function render({ model, el, signal }) {
  const image = document.createElement("img");
  image.style.display = "block";
  image.style.width = image.style.maxWidth = "100%";
  el.append(image);

  let latest = 0;
  async function show() {
    const turn = ++latest;
    const next = new Image();
    const url = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
    next.src = url;
    await next.decode().catch(() => null);
    if (turn !== latest) return URL.revokeObjectURL(url); // a newer picture has come meanwhile
    const old = image.src;
    image.src = url;
    image.alt = model.get("words");
    if (old) URL.revokeObjectURL(old);
  }

  let watch;
  function meetPanel() {
    const panel = el.closest(".pe-explorer");
    if (!panel) return requestAnimationFrame(meetPanel); // not on the page yet
    nameControls(panel);
    watch = new MutationObserver(() => nameControls(panel)); // drawn later, or anew
    watch.observe(panel, { childList: true, subtree: true, attributeFilter: ["class"] }); // play turns into pause
  }

  model.on("change:png", show);
  show();
  meetPanel();
  return () => {
    model.off("change:png", show);
    watch?.disconnect();
    latest = -1;
    URL.revokeObjectURL(image.src);
  };
}

export default { render };
