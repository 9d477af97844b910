// Put an explorer into an element. `source.ask(request)` asks for a picture; what `source.listen` was given hears what it answers.
function mountExplorer(host, spec, source) {
  let values = { ...spec.start }, covered = spec.cover, current, counter = 0, newest = 0, next, playing, speed = "slow";
  const kept = new Map(); // state → answer, the one shown last at the end

  // ── asking ──
  const key = (state) => JSON.stringify(Object.entries(state).sort());
  function request(set, extra = {}) {
    const wanted = Object.assign({ ...values }, ...underway, next?.set, set);
    const ready = spec.lasting && !extra.fresh && kept.get(key(wanted));
    overtaken = ready && underway.length > 0; // then what is underway is not to be shown any more
    if (ready) return (next = undefined), show(ready, wanted), tellLater();
    next = { ...extra, set: { ...next?.set, ...set } };
    send();
  }
  const own = Math.random().toString(36).slice(2); // other views of the same explorer hear all answers too
  let late, told, overtaken = false;
  const underway = []; // what the questions set that are not answered yet, the oldest first
  let most = UNDERWAY.quick;
  function send() {
    if (!next || underway.length >= most) return;
    const asked = next;
    next = undefined;
    clearTimeout(told);
    underway.push(asked.set);
    clearTimeout(late);
    late = setTimeout(() => {
      underway.length = 0;
      say("The kernel has not answered: it is busy with another cell, or it is gone. Run the cell again.");
    }, spec.work ? 10 * PATIENCE : PATIENCE); // to learn a hundred steps takes a while
    source.ask({ ...asked, values, number: `${own} ${++counter}` });
  }
  function tellLater() {
    clearTimeout(told); // the kernel hears where the controls are once they rest
    if (source.tell) told = setTimeout(() => !underway.length && source.tell({ quiet: true, set: values }), 200);
  }
  function answered(answer) {
    const mine = answer.number?.startsWith(own);
    if (mine) underway.shift();
    if (!underway.length) clearTimeout(late);
    if (answer.era !== undefined && answer.era !== era) kept.clear(), (era = answer.era);
    if (answer.message !== undefined) say(answer.message);
    if (answer.moving) {
      if (answer.background) background = answer.background;
      const whole = { ...answer, background };
      keep(whole);
      if (overtaken && mine) tellLater();
      else show(whole);
      overtaken &&= underway.length > 0;
    } else if (answer.message) setControls(values);
    if (answer.took) most = answer.took > SLOW ? UNDERWAY.slow : UNDERWAY.quick;
    send();
  }
  let era, background;
  function keep(answer) {
    if (!spec.lasting) return;
    kept.delete(key(answer.values));
    kept.set(key(answer.values), answer);
    const size = () => [...kept.values()].reduce((sum, { moving }) => sum + moving.length, 0);
    for (const oldest of kept.keys()) if (kept.size > KEPT || size() > KEPT_BYTES) kept.delete(oldest);
  }

  // ── the picture ──
  let painting; // until the picture that was put on the sheet last has been seen: answers come in bunches
  const seen = (svg) => (covered ? svg.replace("<svg ", '<svg class="covered" ') : svg);
  function picture(svg) {
    const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(seen(svg))}`;
    return h("img", { alt: "", decoding: "sync", draggable: false, src });
  }
  async function show(answer, asked) {
    const number = ++newest;
    values = asked ? { ...answer.values } : Object.assign({ ...answer.values }, ...underway, next?.set); // what has been moved since stays as it is
    setControls(values, answer.limits);
    if (asked) say("");
    const layers = answer.images?.covered === covered ? answer.images : { covered, moving: picture(answer.moving) };
    layers.behind ??= current?.background === answer.background && current.images.covered === covered ? current.images.behind : picture(answer.background);
    const arriving = [layers.behind, layers.moving].filter((image) => !image.isConnected);
    await Promise.all(arriving.map((image) => image.decode().catch(() => {})));
    while (painting && newest - number <= 2) await painting;
    if (newest - number > 2) return; // this one is old, and later ones are on their way
    if (current && number < current.number) return; // a later one is there already
    painting = new Promise((painted) => requestAnimationFrame(() => setTimeout(() => ((painting = undefined), painted()))));
    answer.images = layers;
    current = { ...answer, images: layers, number };
    if (!hover.hidden) point(pointed); // another picture under a mouse that rests has its targets elsewhere
    if (layers.behind !== sheet.children[0] || layers.moving !== sheet.children[1]) sheet.replaceChildren(layers.behind, layers.moving);
    sheet.setAttribute("aria-label", answer.words.replace(/\x02([^]*?)\x03/g, covered ? "…" : "$1"));
    stage.dataset.shown = key(answer.values);
    source.shown?.(values, spec);
  }
  function cover(on) {
    if (!spec.canCover) return;
    covered = on;
    coverButton.textContent = on ? "Show the answer" : "Cover";
    coverButton.setAttribute("aria-pressed", String(on));
    if (current) show(current);
    fit();
  }

  // ── controls ──
  const controls = {};
  for (const one of spec.controls) controls[one.name] = makeControl(one, (value) => goTo({ [one.name]: value }));
  function setControls(state, limits = {}) {
    for (const [name, control] of Object.entries(controls)) {
      if (limits[name]) control.limit?.(limits[name]);
      control.set(state[name]);
    }
    if (played) [progress.max, progress.value] = [played.main.max, Math.max(progress.value, played.main.value)];
    playButton.disabled = !spec.work && played?.main.disabled;
    if (root.contains(document.activeElement) && document.activeElement.disabled) sheet.focus({ preventScroll: true }); // which has the same keys
    for (const button of presets) button.setAttribute("aria-pressed", String(button.matches(state)));
  }
  const goTo = (state) => (pause(), request(state));
  const presets = Object.entries(spec.presets).map(([name, state], k) => {
    const wanted = { ...spec.start, ...state };
    const button = h("button", { title: k < 9 ? `key ${k + 1}` : "", aria: { pressed: "false" }, on: { click: () => goTo(wanted) } }, name);
    button.matches = (state) => Object.entries(wanted).every(([name, value]) => state[name] === value);
    return button;
  });
  const reset = h("button", { title: "key 0", on: { click: () => goTo(spec.start) } }, "Reset");

  // ── playing ──
  const played = controls[spec.play];
  const playButton = h("button", { className: spec.work ? "" : "pe-icon", on: { click: () => (playing ? pause() : play()) } });
  const progress = h("progress", { value: 0, aria: { label: "done so far" } }); // of what playing works out
  function label(on) {
    if (spec.work) return (playButton.textContent = on ? "Stop" : spec.work);
    playButton.innerHTML = on ? PAUSE : PLAY;
    playButton.setAttribute("aria-label", on ? "Pause" : "Play");
  }
  label(false);
  const speedButton = h("button", { on: { click: changeSpeed } }, "Play faster");
  function changeSpeed() {
    speed = speed === "slow" ? "fast" : "slow";
    speedButton.textContent = speed === "slow" ? "Play faster" : "Play slower";
    if (playing) play();
  }
  function play() {
    clearInterval(playing);
    if (played.main.valueAsNumber >= Number(played.main.max)) played.home();
    playing = setInterval(() => {
      if (spec.work && underway.length) return; // the kernel is at it
      const going = playing; // moving a control pauses; this move does not
      playing = undefined;
      const moved = root.isConnected && played.step(1);
      playing = going;
      if (!moved) pause();
    }, SPEEDS[spec.work ? "work" : speed]);
    label(true);
  }
  function pause() {
    if (!playing) return;
    clearInterval(playing);
    playing = undefined;
    label(false);
  }

  // ── touching ──
  const hover = h("div", { className: "pe-hover", hidden: true });
  let pointed; // where the mouse moved last
  function touched(event) {
    const box = sheet.getBoundingClientRect(), scale = spec.width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    for (const { box: [left, top, wide, high], across, down, sets } of current?.targets ?? []) {
      if (x < left || y < top || x >= left + wide || y >= top + high) continue;
      const sides = [[across ?? [, [undefined]], left, wide, x], [down ?? [, [undefined]], top, high, y]];
      const asked = { ...sets };
      for (const [[name, offered], from, length, at] of sides) if (name) asked[name] = offered[Math.floor(((at - from) / length) * offered.length)];
      const set = source.near?.(asked, values) ?? asked;
      const places = sides.map(([[name, offered]]) => offered.indexOf(set[name]));
      if (places.includes(-1)) continue;
      const [wider, higher] = sides.map(([[, offered], , length]) => length / offered.length);
      return { set, box: [left + places[0] * wider, top + places[1] * higher, wider, higher] };
    }
  }
  function point(event) {
    const found = touched((pointed = event));
    hover.hidden = !found;
    stage.style.cursor = found ? "pointer" : "";
    if (!found) return;
    const [left, top, wide, high] = found.box.map((side, k) => `${(100 * side) / (k % 2 ? spec.height : spec.width)}%`);
    Object.assign(hover.style, { left, top, width: wide, height: high });
    hover.title = Object.entries(found.set).map(([name, value]) => `${name} ${value}`).join(", ");
  }
  function click(event) {
    const found = touched(event);
    sheet.focus({ preventScroll: true });
    if (found) goTo(found.set);
  }

  // ── full screen, saving, help ──
  const isWhole = () => root.classList.contains("pe-whole");
  function toggleWhole() {
    hover.hidden = true;
    if (root.classList.toggle("pe-whole")) root.requestFullscreen?.().catch(() => {}); // refused in a frame: then it fills the frame
    else if (document.fullscreenElement === root) document.exitFullscreen();
    fit();
  }
  const left = () => !document.fullscreenElement && isWhole() && toggleWhole();
  document.addEventListener("fullscreenchange", left);
  async function save(kind) { // both layers in light colours, on white, with a line of their own
    const { width } = spec, height = spec.height + 24;
    const layers = [current.background, current.moving].map((svg) => svg.replace(/^<svg[^>]*>|@media[^]*?(?=<\/style>)|<\/svg>\s*$/g, ""));
    const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
      <metadata>${NOTICE}</metadata><rect width="100%" height="100%" fill="#fff"/>${layers.join("")}
      <text x="${width - 8}" y="${height - 8}" text-anchor="end" font-family="sans-serif" font-size="12" fill="#595959">${NOTICE}</text></svg>`;
    let blob = new Blob([seen(whole)], { type: "image/svg+xml" });
    if (kind === "png") {
      const image = picture(whole), canvas = h("canvas", { width: 2 * width, height: 2 * height });
      await image.decode();
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    }
    const link = h("a", { href: URL.createObjectURL(blob), download: `${spec.name}.${kind}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
  const keys = KEYS.map(([name, what]) => h("tr", {}, h("th", {}, name), h("td", {}, what)));
  const help = h("div", { className: "pe-help", hidden: true, aria: { role: "dialog", label: "Keys" } }, h("table", {}, ...keys));
  const toggleHelp = () => (help.hidden = !help.hidden);

  // ── layout: two rows of controls; what does not fit in the second stands under More ──
  const coverButton = h("button", { aria: { pressed: String(!!covered) }, on: { click: () => cover(!covered) } }, covered ? "Show the answer" : "Cover");
  const moreButton = h("button", { aria: { expanded: "false" }, on: { click: () => open(more.hidden) } }, "More");
  const open = (on) => ((more.hidden = !on), moreButton.setAttribute("aria-expanded", String(on)));
  const icons = [
    h("button", { className: "pe-icon", title: "full screen (F)", aria: { label: "Full screen" }, innerHTML: CORNERS, on: { click: toggleWhole } }),
    h("button", { className: "pe-icon", title: "keys (?)", aria: { label: "Keys" }, on: { click: toggleHelp } }, "?"),
  ];
  const saving = ["svg", "png"].map((kind) => h("button", { on: { click: () => save(kind) } }, `Save ${kind.toUpperCase()}`));
  const words = played && spec.shown.includes("tokens") && controls.tokens.root; // beside the slider that goes through them
  const inRow = [...spec.shown.map((name) => controls[name].root).filter((one) => one !== words), ...presets, reset];
  const rest = spec.controls.filter(({ name }) => name !== spec.play && !spec.shown.includes(name)).map(({ name }) => controls[name].root);
  const first = played && h("div", { className: "pe-row pe-played" }, playButton, spec.work && progress, played.root, words);
  const items = h("div", { className: "pe-items" });
  const second = h("div", { className: "pe-row" }, items, spec.canCover && coverButton, moreButton, ...icons);
  const more = h("div", { className: "pe-row pe-more", hidden: true });
  const sheet = h("div", { className: "pe-sheet", tabIndex: 0, aria: { role: "img", label: "" } });
  const message = h("p", { className: "pe-message", hidden: true, aria: { role: "alert" } });
  const stage = h("div", { className: "pe-stage", on: { mousemove: point, mouseleave: () => (hover.hidden = true), click } }, sheet, hover, message, help);
  const pan = h("div", { className: "pe-pan" }, stage); // on a narrow screen the picture stays readable and is panned
  const root = h("div", { className: "pe-explorer", aria: { role: "group", label: spec.name } }, first, second, more, pan);
  root.style.setProperty("--ratio", spec.width / spec.height);
  host.append(root);
  function say(words) {
    message.textContent = words;
    message.hidden = !words;
  }
  function fit() {
    const held = root.contains(document.activeElement) && document.activeElement; // what is moved loses the focus
    items.replaceChildren(...inRow);
    more.replaceChildren(...rest, ...(played && !spec.work ? [speedButton] : []), ...saving);
    const room = items.getBoundingClientRect();
    if (!room.width) return;
    const beyond = inRow.filter((item) => item.getBoundingClientRect().right > room.right + 1);
    more.prepend(...beyond);
    if (held) held.focus({ preventScroll: true });
  }
  const resized = new ResizeObserver(() => requestAnimationFrame(fit)); // what it moves would be a change within a change
  for (const one of [second, ...inRow]) resized.observe(one); // a theme that changes moves them in a row of the same width

  // ── keys ──
  function keydown(event) {
    const at = event.target, typing = at.tagName === "SELECT" || (at.tagName === "INPUT" && at.type === "text");
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.startsWith("Page")) return;
    const name = event.key.toLowerCase(), chosen = /^[0-9]$/.test(name) && [reset, ...presets][name];
    let taken = true;
    if (name === "escape" && !help.hidden) toggleHelp();
    else if (name === "escape" && isWhole()) toggleWhole();
    else if (typing) return event.stopPropagation();
    else if (chosen) chosen.click();
    else if (name === "f") toggleWhole();
    else if (name === "a") cover(!covered);
    else if (name === "?") toggleHelp();
    else if (name === " " && played && at.tagName !== "BUTTON" && at.type !== "checkbox") playing ? pause() : play();
    else if (at === sheet && played && ["arrowleft", "arrowright"].includes(name)) pause(), played.step(name === "arrowright" ? 1 : -1);
    else taken = false;
    if (taken) event.preventDefault();
    if (taken || (at !== sheet && (name.startsWith("arrow") || name === " " || name === "enter"))) event.stopPropagation();
  }
  root.addEventListener("keydown", keydown);
  const unfollow = followTheme(root);

  source.listen(answered);
  request({}, { fresh: true });
  return {
    answered,
    goTo,
    uncover: () => covered && cover(false),
    begin() {
      open(false);
      if (covered !== spec.cover) cover(spec.cover);
      goTo(spec.start);
    },
    end() {
      pause();
      clearTimeout(late);
      clearTimeout(told);
      resized.disconnect();
      unfollow();
      document.removeEventListener("fullscreenchange", left);
    },
  };
}
