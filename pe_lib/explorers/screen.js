// An image whose next picture is shown only when it is there whole, names for the controls of the panel around it, and
// the tie between a slider and the buttons that play it.

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

// The buttons that play go along with their slider. The slider is the first to tell the kernel, which draws for it alone.
async function initialize({ model }) {
  const [slider, player] = await Promise.all(
    model.get("played").map((name) => model.widget_manager.get_model(name.replace("IPY_MODEL_", ""))),
  );
  if (!player) return;
  let resting;
  function follow() {
    player.set("value", slider.get("value"));
    clearTimeout(resting);
    resting = setTimeout(() => player.save_changes(), 300);
  }
  function lead() {
    if (slider.get("value") === player.get("value")) return;
    slider.set("value", player.get("value"));
    slider.save_changes();
  }
  slider.on("change:value", follow);
  player.on("change:value", lead);
  return () => {
    clearTimeout(resting);
    slider.off("change:value", follow);
    player.off("change:value", lead);
  };
}

function render({ model, el }) {
  const shown = document.createElement("img");
  shown.style.cssText = "display: block; width: 100%; max-width: 100%";
  shown.decoding = "sync"; // painted together with the rest of the page, never a frame later
  el.append(shown);

  const loaded = { even: new Image(), odd: new Image() };
  function show() {
    for (const name of ["even", "odd"]) {
      const src = `data:image/png;base64,${model.get(name)}`; // a blob takes a few milliseconds more to load
      if (!model.get(name) || loaded[name].src === src) continue;
      loaded[name] = Object.assign(new Image(), { onload: show, src });
    }
    const { src, complete } = loaded[model.get("shown")];
    if (!complete) return; // it comes back once it is loaded
    if (shown.src !== src) shown.src = src; // at once, as it is loaded
    shown.alt = model.get("words");
  }

  let watch, gone;
  function meetPanel() {
    if (gone) return; // before it came onto the page
    if (!el.isConnected) return requestAnimationFrame(meetPanel);
    const panel = el.closest(".pe-explorer");
    if (!panel) return; // an image by itself has no controls
    nameControls(panel);
    watch = new MutationObserver((changes) => {
      if (changes.some((change) => !el.contains(change.target))) nameControls(panel); // drawn later, or anew
    });
    watch.observe(panel, { childList: true, subtree: true, attributeFilter: ["class"] }); // play turns into pause
  }

  model.on("change", show);
  show();
  meetPanel();
  return () => {
    model.off("change", show);
    watch?.disconnect();
    gone = true;
  };
}

export default { initialize, render };
