// Each panel begins with these lines, which are there at once. The script and the style of all of them are in one model of
// the kernel, and are loaded once for a page.
const loaded = (globalThis.peLoaded ??= new Map()); // by the script

async function load(model) {
  document.head.append(Object.assign(document.createElement("style"), { textContent: model.get("style") }));
  const url = URL.createObjectURL(new Blob([model.get("script")], { type: "text/javascript" }));
  return import(url).finally(() => URL.revokeObjectURL(url));
}

async function render({ model, el }) {
  const held = await model.widget_manager.get_model(model.get("held").slice("IPY_MODEL_".length)), script = held.get("script");
  if (!loaded.has(script)) loaded.set(script, load(held));
  return (await loaded.get(script)).render({ model, el });
}

export default { render };
