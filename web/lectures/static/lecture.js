// What slides need beyond reveal.js: pictures that walk from step to step, and votes. A step is a fragment, so whatever
// flips slides walks them, and a slide that is entered begins at its first. Loaded after the explorers' script, whose
// `h` makes elements.
{
  const PRINTED = /print-pdf/.test(location.search);

  // On paper every picture stands still.
  if (PRINTED) for (const place of document.querySelectorAll("[data-explorer]")) delete place.dataset.explorer;

  // Do something with the picture of a place, as soon as it is there; what was to be done before is dropped.
  function withPicture(place, act) {
    clearTimeout(place.waiting);
    if (place.explorer) act(place.explorer);
    else place.waiting = setTimeout(withPicture, 50, place, act);
  }

  // A picture with its steps: `root.at` goes to a step, `root.begin` to the first, at once.
  function mountSteps(root) {
    const steps = JSON.parse(root.dataset.steps), place = root.querySelector(".pe-place");
    root.at = (k) => withPicture(place, (picture) => picture.walk(...steps[k]));
    root.begin = () => withPicture(place, (picture) => (picture.begin(), picture.walk(...steps[0])));
  }

  // A vote: the question; its choices, with a field for the hands of each; with two rounds, the talk, and a second field;
  // then the answer over the picture as it was; then the picture goes where the answer lies.
  function mountVote(root) {
    const { question, choices, first, before, then, after, rounds, tempting } = JSON.parse(root.dataset.vote);
    const place = root.querySelector(".pe-place"), right = choices.findIndex((choice) => choice[2]);
    const stages = ["asked", "choices", ...(rounds > 1 ? ["talk", "again"] : []), "answered", "settled"];
    const field = (k, round) => h("input", { type: "text", inputMode: "numeric", on: { input: drawBars }, aria: { label: `hands for ${k + 1}, round ${round + 1}` } });
    const rows = choices.map(([choice], k) => {
      const fields = [...Array(rounds).keys()].map((round) => ({ input: field(k, round), bar: h("span", { className: "bar" }) }));
      const cells = fields.flatMap(({ input, bar }, round) => [h("span", { className: `round round${round + 1}` }, input, h("span", { className: "track" }, bar))]);
      return { fields, row: h("li", { className: k === right ? "right" : "" }, h("span", { className: "choice" }, choice), ...cells) };
    });
    const talk = h("p", { className: "talk" }, "Talk to your neighbour: one minute.");
    const why = [h("p", { className: "which" }, `✓ ${right + 1}. ${choices[right][0]}`), h("p", { className: "tempting" }, h("b", {}, `${tempting + 1}. ${choices[tempting][0]}? `), choices[tempting][1])];
    const said = h("div", { className: "said", aria: { role: "status" } });
    const asked = h("div", { className: "asked", on: { keydown: keep } }, h("p", { className: "question" }, question), h("ol", {}, ...rows.map(({ row }) => row)), talk);
    const settled = h("div", { className: "settled" }, place);
    root.prepend(asked, said, settled);

    function drawBars() {
      const numbers = rows.map(({ fields }) => fields.map(({ input }) => Math.max(0, Number(input.value) || 0)));
      const most = Math.max(1, ...numbers.flat());
      rows.forEach(({ fields }, k) => fields.forEach(({ bar }, round) => (bar.style.width = `${(100 * numbers[k][round]) / most}%`)));
    }
    // A field keeps its keys; whatever flips slides for a clicker does so here too.
    function keep(event) {
      if (event.key.startsWith("Page")) return;
      if (event.key === "Escape") event.target.blur();
      event.stopPropagation();
    }
    root.at = (k) => {
      const stage = stages[k];
      root.dataset.stage = stage;
      said.replaceChildren(...(k >= stages.indexOf("answered") ? why : []));
      withPicture(place, (picture) => (stage === "settled" ? picture.walk(then, after) : (picture.begin(), picture.walk(first, before))));
    };
    root.begin = () => {
      for (const { input } of rows.flatMap(({ fields }) => fields)) input.value = "";
      drawBars();
      root.at(0);
    };
    root.begin();
  }
  for (const root of document.querySelectorAll(".steps")) mountSteps(root);
  for (const root of document.querySelectorAll(".vote")) mountVote(root);

  const inside = (slide) => [...(slide?.querySelectorAll(".steps, .vote") ?? [])];
  const walked = ({ fragment }) => {
    const root = fragment.closest(".steps, .vote");
    root?.at(root.querySelectorAll(".fragment.visible").length);
  };
  Reveal.on("fragmentshown", walked);
  Reveal.on("fragmenthidden", walked);
  Reveal.on("slidechanged", ({ previousSlide, currentSlide }) => {
    document.activeElement?.blur(); // the arrows flip slides again
    for (const root of [...inside(previousSlide), ...inside(currentSlide)]) root.begin();
    if (inside(currentSlide).length) Reveal.slide(...Object.values(Reveal.getIndices(currentSlide)).slice(0, 2), -1);
  });
  // A clicker's keys reach reveal.js from inside a control too; a dot is typed where it can be.
  addEventListener("keydown", (event) => {
    const at = document.activeElement, flips = event.key.startsWith("Page");
    if (flips) event.preventDefault(); // or a slider would move as well
    if (flips) at?.blur();
    // Its black key does too, but where a dot or a letter can be typed; counts are digits alone.
    const counting = at?.closest(".vote ol"), dark = event.key === "." ? counting || at?.type !== "text" : event.key === "b" && counting;
    if (dark) event.preventDefault(), event.stopPropagation(), Reveal.togglePause();
  }, true);
  // A phone held upright shows one slide above the other, and each has a button for its steps.
  function scroll() {
    Reveal.destroy();
    for (const slide of document.querySelectorAll(".slides section")) slide.className = "", slide.removeAttribute("style");
    document.documentElement.classList.add("upright");
    for (const root of inside(document)) {
      let k = 0;
      const last = root.querySelectorAll(".fragment").length;
      const next = () => root.at((k = k < last ? k + 1 : 0));
      root.append(h("button", { className: "next", on: { click: next } }, "Next step"));
      root.begin();
      if (root.matches(".vote")) next(); // the choices are there at once
    }
  }
  const ready = (done) => (Reveal.isReady() ? done() : Reveal.on("ready", done));
  if (innerWidth < 600 && !PRINTED) ready(scroll);
  else ready(() => PRINTED ||  inside(Reveal.getCurrentSlide()).forEach((root) => root.begin()));
}
