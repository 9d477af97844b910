// A picture that glides: its elements stay on the page, and their numbers are written anew between whole positions.

const PARTS = new Set(["svg", "g", "path", "rect", "circle", "text", "image", "mask"]);
const TAKEN = new Set(
  "class d x y width height rx cx cy r viewBox transform textLength lengthAdjust stroke-width stroke-dasharray stroke-linecap opacity".split(" "),
).add("preserveAspectRatio").add("shape-rendering");
const TAKEN_AS = { id: /^day$/, mask: /^url\(#day\)$/, href: /^data:image\/png;base64,[\w+/=]*$/ };
const GLIDING = ["cx cy", "x y", "d", "transform", "width", "height", "r", "opacity", "stroke-width"]; // a place is one thing
const FINE = { opacity: 1000, "stroke-width": 100 }; // into how many parts a unit is divided, where ten are too few
const NO_LESS = new Set(["width", "height", "r", "opacity", "stroke-width"]); // than nothing, where a curve swings below it
const NUMBERS = /-?\d+(?:\.\d+)?/g, NUMBER = /\d/;
const EASE = 50; // milliseconds in which two thirds of a step are done: 95 % of it are done in 150
const FAR = 12; // positions; beyond them a hand would turn more than twice, so the pictures cross-fade instead
const NEAR = 3; // positions that are leapt over where their pictures are not there yet
const FADE = 250; // milliseconds

// Only what pictures are made of is taken over: no script, no handler, no address but of an image within.
function parsed(svg) {
  const root = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  for (const node of [root, ...root.querySelectorAll("*")]) {
    if (!PARTS.has(node.localName)) node.remove();
    for (const { name, value } of [...node.attributes]) {
      if (!TAKEN.has(name) && !TAKEN_AS[name]?.test(value)) node.removeAttribute(name);
    }
  }
  return root;
}

// A frame as it is glided through: its elements with what is written on them, and the numbers in it that can glide.
function frameOf(svg) {
  const root = parsed(svg), parts = new Map();
  const nodes = [root, ...root.querySelectorAll("*")].map((node) => ({
    set: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    said: node.localName === "text" ? node.textContent : undefined,
  }));
  for (const [k, { set }] of nodes.entries()) {
    for (const names of GLIDING) {
      const sets = names.split(" ").filter((name) => NUMBER.test(set[name] ?? "")).map((name) => ({ name, words: set[name].split(NUMBERS) }));
      const numbers = sets.flatMap(({ name }) => set[name].match(NUMBERS).map(Number));
      if (sets.length) parts.set(`${k} ${names}`, { k, sets, numbers, form: JSON.stringify(sets) });
    }
  }
  return { root, nodes, parts, shape: [...root.querySelectorAll("*")].map((node) => node.localName).join() };
}

// What glides from a frame to the next: the numbers of those parts that have the same form in both, as the polynomials
// that lead through them; those of the frames `around`, two before and two after, say which way they go.
function planBetween(here, next, around) {
  if (here.shape !== next.shape) return [];
  const plan = [];
  for (const [key, { k, sets, form, numbers: b }] of here.parts) {
    const like = (frame) => frame?.shape === here.shape && frame.parts.get(key)?.form === form && frame.parts.get(key).numbers;
    const c = like(next), [z, a, d, e] = around.map(like);
    if (!c || b.every((number, n) => number === c[n])) continue;
    const places = b.length % 2 ? b.map((_, n) => [n, n + 1]) : b.flatMap((_, n) => (n % 2 ? [] : [[n, n + 2]]));
    const numbers = places.flatMap((ends) => between(...[a, b, c, d, z, e].map((row) => row && row.slice(...ends))));
    plan.push({ k, sets, numbers });
  }
  return plan;
}

// For each number of a place, from b to c, [b, by how much it goes straight on, the tangents at both ends], after Catmull
// and Rom, but stretched: on a circle, where a step turns by w, their tangents are too short by w / sin w. A place that
// goes around no circle may have two numbers that swing, each at its own pace.
function between(a, b, c, d, z, e) {
  if ([a, c, d].every((row) => !row || b.every((number, n) => number === row[n]))) return b.map((number) => [number, 0, 0, 0]);
  const first = a || (d ? beyond(d, c, b, e) : beyond(c, b)), last = d || (a ? beyond(a, b, c, z) : beyond(b, c));
  const rows = [z, first, b, c, last, e], cosine = (paceOf(rows) - 1) / 2;
  const chords = [[a, b], [b, c], [c, d]].filter(([one, two]) => one && two).map(([one, two]) => Math.hypot(...one.map((x, n) => two[n] - x)));
  const straight = cosine > 0.98, uneven = Math.min(...chords) < 0.98 * Math.max(...chords) - 0.2;
  if (b.length > 1 && (straight || uneven)) return b.flatMap((_, n) => between(...[a, b, c, d, z, e].map((row) => row && [row[n]])));
  const w = Math.acos(clamp(cosine, 0.3, 1)), half = w > 0.01 ? w / Math.sin(w) / 2 : 0.5;
  return b.map((number, n) => [number, c[n] - number, half * (c[n] - first[n]), half * (last[n] - number)]);
}

// How many times as far apart the outer two of four frames are as the inner two: of what swings, by w in a step, that is
// 1 + 2 cos w, wherever it is. All four in a row that there are say it together; a step that is nearly none says little.
function paceOf(rows) {
  let outer = 0, inner = 0;
  for (let k = 0; k + 3 < rows.length; k++) {
    const [one, two, three, four] = rows.slice(k, k + 4);
    if (one && two && three && four) (outer += product(two, three, one, four)), (inner += product(two, three, two, three));
  }
  return inner > 0 ? clamp(outer / inner, -1, 3) : 3;
}
const product = (p, q, r, s) => p.reduce((sum, number, n) => sum + (q[n] - number) * (s[n] - r[n]), 0);

// Where a place would be one frame beyond the last three. The frame `zero` before them says how it swings; without that
// one, chords turn by the same angle each time, as those of a circle do.
function beyond(one, two, three, zero) {
  if (!three) return two.map((number, n) => 2 * number - one[n]);
  const inner = product(one, two, one, two);
  if (zero && inner > 1) {
    const pace = paceOf([zero, one, two, three]);
    return one.map((number, n) => number + pace * (three[n] - two[n]));
  }
  const turn = product(one, two, two, three) / Math.sqrt(inner * product(two, three, two, three)) || 1;
  return three.map((number, n) => number + 2 * turn * (number - two[n]) - (two[n] - one[n]));
}

// Let a picture, two layers in an element, glide. `answers(k)` is what belongs to a whole position, or nothing where
// nothing is there yet; `passed(k, answer)` is told of each whole position and of what is nearest, `moved(position)` of all.
function gliding(picture, { answers, passed, moved }) {
  const [lay, move] = picture.children, plans = new Map(); // position → what glides from there to the next
  let live = [], shape, behind, shown, at, goal, far = FAR, pace = eased, last, frame, ghost;

  const frameAt = (k) => frameIn(answers(k));
  const frameIn = (answer) => answer && (answer.frame ??= frameOf(answer.moving));
  function planFrom(k) {
    if (plans.has(k)) return plans.get(k);
    const [here, next, ...around] = [k, k + 1, k - 2, k - 1, k + 2, k + 3].map(frameAt);
    if (!here || !next) return [];
    const plan = planBetween(here, next, around);
    if (around[1] && around[2]) plans.set(k, plan); // else those beyond may still come
    return plan;
  }

  // ── drawing ──
  function mount(answer) {
    const { root, nodes, shape: other } = frameIn(answer);
    if (behind !== answer.background) lay.replaceChildren(parsed((behind = answer.background)));
    if (shape !== other) {
      const copy = root.cloneNode(true);
      live = [copy, ...copy.querySelectorAll("*")].map((node, k) => ({ node, ...nodes[k], set: { ...nodes[k].set } }));
      move.replaceChildren(copy);
      shape = other;
    } else {
      nodes.forEach(({ set, said }, k) => {
        for (const name in live[k].set) if (!(name in set)) live[k].node.removeAttribute(name), delete live[k].set[name];
        for (const name in set) write(live[k], name, set[name]);
        if (said !== live[k].said) live[k].node.textContent = live[k].said = said;
      });
    }
    shown = answer;
  }
  function write({ node, set }, name, value) {
    if (set[name] !== value) node.setAttribute(name, (set[name] = value));
  }
  function draw(position, up) {
    const k = Math.floor(position), t = position - k;
    const answer = answers(Math.round(position)); // whose words are shown
    at = position;
    if (answer && (answer !== shown || !t)) mount(answer);
    const far = t * t * (3 - 2 * t), out = t * (1 - t) ** 2, into = t * t * (t - 1);
    for (const { k: node, sets, numbers } of t && shape ? planFrom(k) : []) {
      let n = 0;
      for (const { name, words } of sets) {
        const fine = FINE[name] ?? 10, least = NO_LESS.has(name) ? 0 : -Infinity;
        let text = words[0];
        for (const word of words.slice(1)) {
          const [from, way, first, last] = numbers[n++];
          text += Math.round(fine * Math.max(least, from + far * way + out * first + into * last)) / fine + word;
        }
        write(live[node], name, text);
      }
    }
    moved(position);
    if (answer) passed(up ? k : Math.ceil(position), answer);
  }
  function fade() { // what is there goes while the next comes
    if (calm.matches || ghost || !shape) return;
    ghost = picture.cloneNode(true);
    picture.after(ghost);
    picture.animate({ opacity: [0, 1] }, FADE);
    ghost.animate({ opacity: [1, 0] }, FADE).onfinish = () => (ghost.remove(), (ghost = undefined));
  }

  // ── moving ──
  function eased(end, since) {
    const next = end + (at - end) * Math.exp(-since / EASE);
    return Math.abs(end - next) < 0.03 ? end : next;
  }
  function evenly(rate) {
    let exact = at;
    return (end, since) => {
      exact = Math.min(end, exact + (rate * since) / 1000);
      return calm.matches ? Math.floor(exact) : exact;
    };
  }
  function within(milliseconds, from, to) { // slowly at first and at last
    let spent = 0;
    return (end, since) => {
      const t = Math.min(1, (spent += since) / milliseconds), part = t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2;
      const next = from + (to - from) * part;
      return to > from ? Math.min(next, end) : Math.max(next, end);
    };
  }
  function reach() { // as far as all frames are there: what has not been drawn yet is waited for
    const way = Math.sign(goal - at);
    let end = way > 0 ? Math.floor(at) : Math.ceil(at);
    while (end !== goal && Math.abs(end - at) <= far && answers(end + way)) end += way;
    return end;
  }
  function tick(now) {
    const since = Math.min(now - last, 100), up = goal >= at, end = reach();
    last = now;
    frame = undefined;
    const next = end === at ? at : pace(end, since);
    if (next !== at) draw(next, up);
    if (at !== reach() && !frame) frame = requestAnimationFrame(tick);
  }
  function start() {
    if (!frame) (last = performance.now()), (frame = requestAnimationFrame(tick));
  }
  function stop() {
    cancelAnimationFrame(frame);
    frame = undefined;
  }
  return {
    get at() { return at; },
    forget: () => plans.clear(),
    // To a whole position: by all those between, or over the gap where they are not there or too many.
    to(k, milliseconds, most = FAR) {
      const by = Math.abs(k - at);
      [goal, far, pace] = [k, most, milliseconds ? within(milliseconds, at, k) : eased];
      if (!answers(k) || (reach() === k && by <= far && !calm.matches)) return start();
      if (by > NEAR) fade();
      stop();
      draw(k, true);
    },
    run(k, rate) { // so many positions a second
      [goal, far, pace] = [k, FAR, evenly(rate)];
      start();
    },
    jump(position, faded) { // at once
      if (faded) fade();
      stop();
      draw((goal = position), true);
    },
    place: (k) => (stop(), plans.clear(), (at = goal = k)), // say where it is, along another line
    go: () => goal !== at && start(), // on, where a frame was waited for
    end: stop,
  };
}
