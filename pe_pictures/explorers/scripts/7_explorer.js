// Put an explorer into an element. `source.ask(request)` asks for a picture; what `source.listen` was given hears what
// it answers, and `source.tell` hears where a picture is that was shown without asking.

const NARROW = 600; // pixels of the panel below which a picture is drawn upright
const LAYERS = `.picture, .lay, .move { position: absolute; inset: 0 } .lay, .move { will-change: transform }
  svg { display: block; width: 100%; height: 100%; overflow: visible }`;
// How it goes to a state, if not by a step: milliseconds that it takes by its length, and how far it goes at most.
const LEAP = { takes: (by) => clamp(220 + 60 * Math.sqrt(by), 250, 800), far: FAR };
const WALK = { takes: (by) => clamp(40 * by, 1000, 2000), far: 128 }; // by all that lies between, which is waited for
const STAND = {}; // at once
const PAGE = 50; // milliseconds that each state of a work is shown as one leafs through it

function mountExplorer(host, spec, source) {
  const goal = { ...spec.start, ...source.start }; // where the controls are; `current` is what is shown
  let current, along = spec.play, covered = spec.cover, held, tall = false, caption = ""; // it glides `along` a field
  const tried = new Set();
  let rests, leafing, going; // how it goes to its goal, while that or what lies between is still asked for

  // ── controls: they are where they are set at once, and the picture follows ──
  const control = (one) => makeControl(one, (value) => move({ [one.name]: value }));
  const controls = Object.fromEntries(spec.controls.map((one) => [one.name, control(one)]));
  const played = controls[spec.play]?.scale;
  const axis = played && makeAxis(spec.controls.find(({ name }) => name === spec.play), {
    dragged: (at) => hold({ [spec.play]: { value: played.value(at), between: at } }),
    let_go: letGo,
    play: () => (player.on ? player.pause() : player.play()),
  });
  const acts = {
    move: (set) => move(set, LEAP), reset: () => move(spec.start, LEAP), cover: () => cover(!covered), whole,
    copy: () => source.copy(goal), speed: () => player.change(), save: () => savePicture(picture, size(), spec.name),
  };
  const frame = makeFrame(spec, { axis, controls, acts, hasAddress: !!source.copy });
  const { root, stage, sheet, picture } = frame;
  host.append(root);
  function setControls(limits = {}) {
    for (const [name, one] of Object.entries(controls)) {
      if (limits[name]) one.limit(limits[name]);
      one.set(goal[name]);
    }
    frame.mark(goal);
    if (!axis) return;
    [axis.range.min, axis.range.max] = played.ends();
    axis.range.disabled = axis.button.disabled = axis.range.min === axis.range.max;
    axis.range.setAttribute("aria-valuetext", spoken());
    if (along !== spec.play || !played.whole) axis.range.value = played.at(goal[spec.play]);
  }
  // `how` is nothing for a step, or LEAP, WALK or STAND.
  function move(set, how) {
    touch();
    player?.pause();
    caption = "";
    Object.assign(goal, set);
    reach(how);
  }
  const leaf = (name, to) => controls[name]?.scale?.next(goal[name], Math.sign(to - goal[name])); // the next state on the way
  function reach(how) {
    clearTimeout(leafing);
    setControls();
    tried.clear();
    going = how;
    const answer = talk.find(goal);
    if (answer) arrive(answer);
    talk.serve();
    talk.tell(goal);
  }

  // ── the picture ──
  const size = () => spec.sheets[tall ? "tall" : "wide"];
  function answerAt(k) {
    const at = current && along ? controls[along].scale.at(current.values[along]) : k;
    if (k === at) return current;
    const answer = talk.find({ ...current.values, [along]: k });
    return answer?.background === current.background ? answer : undefined;
  }
  const glide = gliding(picture, {
    answers: answerAt,
    moved: (at) => axis && along === spec.play && !(held && axis.range.matches(":active")) && (axis.range.value = at),
    passed(k, answer) {
      if (!controls[along]?.scale?.whole) return; // then its places are no values
      if (answer !== current) show(answer);
      if (!player?.on || along !== spec.play || goal[along] === k) return player?.passed(k);
      goal[along] = k;
      setControls();
      tried.clear();
      player.passed(k);
      talk.serve();
      talk.tell(goal);
    },
  });
  // A state that differs in one field alone is glided to where that goes in steps of one; else the pictures cross-fade.
  function arrive(answer) {
    const how = going;
    const [name = along, ...others] = Object.keys(goal).filter((one) => answer.values[one] !== current?.values[one]);
    const same = current && !others.length && answer.background === current.background;
    if (same && controls[name]?.scale?.whole && !spec.work && how !== STAND) {
      if (name !== along) glide.place(current.values[(along = name)]);
      if (held) return follow();
      tell();
      if (onTheWay() !== undefined) return;
      going = undefined;
      return glide.to(answer.values[name], how?.takes(Math.abs(answer.values[name] - glide.at)), how?.far);
    }
    going = undefined;
    const faded = current?.tall === answer.tall && !held && how !== STAND && (others.length > 0 || name !== spec.play);
    show(answer);
    along = spec.play;
    glide.forget();
    glide.jump(played ? played.at(answer.values[along]) : 0, faded);
    if (held) follow();
    else player?.arrived();
  }
  function show(answer) {
    current = answer;
    setControls(answer.limits);
    tell();
    frame.place(answer.axis, size());
    sheet.setAttribute("aria-label", answer.words.replace(/\x02([^]*?)\x03/g, covered ? "…" : "$1"));
    stage.dataset.shown = JSON.stringify(answer.values);
    source.shown?.(answer.values);
    frame.follow();
    rest();
    begun();
  }
  // The sentence says where one goes, except while it plays; it is read aloud once a picture that was touched has come to rest.
  const nearest = () => (!player?.on && talk.find(goal)) || current;
  const tell = () => frame.tell(caption ? [[caption, ""]] : nearest().title, covered);
  function rest() {
    clearTimeout(rests);
    rests = setTimeout(() => {
      if (held || player?.on) return;
      frame.tasks?.rest(current.values);
      if (picture.classList.contains("touched")) frame.read();
    }, RESTS);
  }
  function spoken() { // the value of the slider with its name, and with the word that stands there
    const value = `${axis.range.ariaLabel} ${written(goal[spec.play])}`;
    const word = covered ? "" : nearest()?.title.find(([, kind]) => kind === "here")?.[0].match(/^“(.+)”$/)?.[1];
    return word ? `${value}, ${word}` : value;
  }
  const talk = asking(source, {
    work: spec.work, isTall: () => tall, goal: () => goal, shown: () => current?.values, ahead, say: frame.say,
    heard: {
      ahead: () => (held ? follow() : going && talk.find(goal) ? arrive(talk.find(goal)) : glide.go()),
      elsewhere: (values) => held || player?.on || (Object.assign(goal, values), reach()),
      answer(answer, { mine, last }) {
        if (answer.message !== undefined) frame.say(answer.message);
        if (mine ? last : !held && !player?.on) Object.assign(goal, answer.values); // brought back to what there is
        const late = mine && !last && talk.find(goal); // by now another picture is wanted, and there already
        if (answer.moving && !late) arrive(answer);
        setControls(answer.limits);
      },
    },
  });
  let way = 1, from; // the way of travel comes first
  function onTheWay() { // the first place of a walk that is not there yet, and has not been asked for in vain
    const to = goal[along], by = Math.sign(to - glide.at);
    if (going !== WALK || Math.abs(to - glide.at) > WALK.far) return;
    for (let k = Math.round(glide.at) + by; by * (to - k) > 0; k += by) if (!tried.has(k) && !talk.find({ ...goal, [along]: k })) return k;
  }
  function ahead() {
    const scale = controls[along]?.scale;
    if (!current || spec.work || !scale?.whole) return;
    const at = goal[along], [least, most] = scale.ends(), between = onTheWay();
    if (between !== undefined) return tried.add(between), { ...goal, [along]: between };
    if (at !== from) (way = Math.sign(at - from) || 1), (from = at);
    const around = held ? [0, 1, -1, 2].map((by) => Math.floor(held.at) + by) : [];
    const beside = [...around, at + way, at + 2 * way, at - way];
    const k = beside.find((k) => k >= least && k <= most && !tried.has(k) && !talk.find({ ...goal, [along]: k }));
    return k !== undefined && tried.add(k) ? { ...goal, [along]: k } : undefined;
  }

  // ── taking hold: of the slider, or of the picture ──
  function hold(set) {
    touch();
    player?.pause();
    if (set[spec.play] && along !== spec.play) glide.place(current.values[(along = spec.play)]);
    const between = set[along]?.between ?? glide.at;
    held = { at: controls[along]?.scale ? clamp(between, ...controls[along].scale.ends()) : between };
    for (const [name, { value }] of Object.entries(set)) goal[name] = controls[name]?.scale?.near(value) ?? value;
    reach();
    follow();
  }
  function follow() { // as near as there are pictures: what comes is shown, even if the pointer is elsewhere by now
    if (!controls[along]?.scale?.whole) return;
    const near = [held.at, Math.round(held.at)].find((at) => answerAt(Math.floor(at)) && answerAt(Math.ceil(at)));
    if (near !== undefined) glide.jump(near);
  }
  function letGo() {
    held = undefined;
    reach();
    if (current) show(current);
  }
  grabbing(sheet, {
    targets: () => current?.targets ?? [], width: () => size()[0], move: hold, rest: letGo,
    marks: () => [...picture.querySelectorAll("circle:is(.f-here, .e-here):not(.spot), rect.e-here")],
    valueOf: (name) => (name === along ? glide.at : goal[name]), endsOf: (name) => controls[name].scale.ends(),
  });
  sheet.addEventListener("mousedown", (event) => {
    event.preventDefault(); // nothing is marked, and the keys are the picture's
    (axis && !axis.range.disabled ? axis.range : sheet).focus({ preventScroll: true });
  });

  // ── playing: a picture that opens by it does so once, when first seen, until it is touched; out of sight none plays ──
  const player = axis && playing(played, {
    work: spec.work, speed: () => current.speed, at: () => goal[spec.play], told: (on) => (frame.playing(on), rest()),
    ready: () => !spec.work && played.whole && along === spec.play, run: (place, rate) => glide.run(place, rate),
    goTo(place, far) {
      if (!root.isConnected) return player.pause();
      goal[spec.play] = place;
      reach(far && LEAP);
    },
    settle: () => held || ((goal[spec.play] = played.near(glide.at)), reach()),
  });
  let touched = false, seen = false;
  function touch() {
    touched = true;
    picture.classList.add("touched");
  }
  function begun() {
    if (player && seen && spec.opens && current && !touched && !covered && !calm.matches) (touched = true), player.play("once");
  }
  const sights = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting && seen) player?.pause();
    seen = isIntersecting;
    begun();
  }, { threshold: 0.4 });
  sights.observe(stage);
  root.addEventListener("click", (event) => player?.once && !event.target.closest(".pe-play") && player.pause());

  // ── cover, full screen, size ──
  function cover(on) {
    covered = on;
    picture.classList.toggle("covered", on);
    frame.covered(on);
    if (current) show(current);
    fit();
  }
  const isWhole = () => root.classList.contains("pe-whole");
  function whole() {
    if (root.classList.toggle("pe-whole")) root.requestFullscreen?.().catch(() => {}); // refused: then it fills its frame
    else if (document.fullscreenElement === root) document.exitFullscreen();
    fit();
  }
  const left = () => !document.fullscreenElement && isWhole() && whole();
  document.addEventListener("fullscreenchange", left);
  function fit() {
    if (!host.clientWidth) return;
    const narrow = host.clientWidth < NARROW, upright = narrow && !!spec.sheets.tall, other = upright !== tall || !current;
    tall = upright;
    if (!current) frame.place(undefined, size()); // the room is there before the first picture
    frame.fit(narrow, tall);
    if (other) reach();
  }
  const resized = new ResizeObserver(() => requestAnimationFrame(() => root.isConnected && fit()));
  resized.observe(host);

  // ── keys ──
  const STEPS = { arrowright: 1, arrowleft: -1, pageup: 10, pagedown: -10, arrowup: 1, arrowdown: -1, home: -Infinity, end: Infinity };
  function keydown(event) {
    const at = event.target, name = event.key.toLowerCase();
    const typing = at.tagName === "SELECT" || (at.tagName === "INPUT" && at.type === "text");
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || (event.shiftKey && name === "enter")) return;
    if (name === "escape" && !frame.help.hidden) frame.ask(false);
    else if (name === "escape" && isWhole()) whole();
    else if (typing) return event.stopPropagation();
    else if (name in STEPS && !(at.type === "range" && at !== axis?.range)) step(name);
    else if (/^[0-9]$/.test(name)) name === "0" ? acts.reset() : frame.chips[name - 1]?.click();
    else if (name === "f") whole();
    else if (name === "a") cover(!covered);
    else if (name === "?") frame.ask();
    else if (name === " " && axis && at.tagName !== "BUTTON" && at.type !== "checkbox") axis.button.click();
    else return name.startsWith("arrow") || name === " " || name === "enter" ? event.stopPropagation() : undefined;
    event.preventDefault();
    event.stopPropagation();
  }
  function step(name) {
    const other = (name === "arrowup" || name === "arrowdown") && spec.upDown, moved = other || spec.play;
    const scale = controls[moved]?.scale, by = other ? -STEPS[name] : STEPS[name];
    if (!scale) return;
    player?.pause();
    const next = Number.isFinite(by) ? scale.next(goal[moved], by) : by > 0 ? scale.greatest() : scale.least();
    if (next !== goal[moved]) move({ [moved]: next }, Number.isFinite(by) ? undefined : LEAP);
  }
  root.addEventListener("keydown", keydown);

  const unfollow = followTheme(root);
  frame.playing?.(false);
  if (covered) cover(true);
  setControls();
  fit();
  return {
    answered: talk.answered,
    goTo: (state) => move(state, LEAP),
    state: () => ({ ...goal }),
    walk(state, said = "", atOnce = false) { // as a lecture goes from stop to stop
      const [name, ...others] = Object.keys(state).filter((one) => state[one] !== goal[one]), page = leaf(name, state[name]);
      const leafs = spec.work && !atOnce && !calm.matches && !others.length && page !== undefined && page !== state[name];
      move(leafs ? { [name]: page } : state, atOnce || leafs ? STAND : WALK);
      if (leafs) leafing = setTimeout(() => this.walk(state, said), PAGE);
      caption = said;
      if (current) show(current);
    },
    begin() {
      frame.open(false);
      if (isWhole()) whole();
      if (covered !== spec.cover) cover(spec.cover);
      move(spec.start);
    },
    end() {
      clearTimeout(leafing);
      player?.pause();
      glide.end();
      talk.end();
      resized.disconnect();
      sights.disconnect();
      unfollow();
      document.removeEventListener("fullscreenchange", left);
    },
  };
}
