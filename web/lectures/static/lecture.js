// What slides need beyond reveal.js: pictures that walk from step to step, and votes. A step is a fragment, so whatever
// flips slides walks them. A slide that is entered from the one before begins at its first step, one that is gone back to
// stands at its last. Loaded after the explorers' script, whose `h` makes elements.
{
  const PREVIEW = /receiver/.test(location.search); // in the speaker's view, which says where it stands

  // Do something with the picture of a place, as soon as it is there; what was to be done before is dropped.
  function withPicture(place, act) {
    clearTimeout(place.waiting);
    if (place.explorer) act(place.explorer);
    else place.waiting = setTimeout(withPicture, 50, place, act);
  }

  // Let the picture of a place walk to a state with its caption, or stand there at once, as it was at first.
  function go(place, [state, said], atOnce) {
    withPicture(place, (picture) => (atOnce && picture.begin(), picture.walk(state, said, atOnce)));
  }

  // A picture with its steps: `root.at` goes to one of the `root.stops`.
  function mountSteps(root) {
    const steps = JSON.parse(root.dataset.steps), place = root.querySelector(".pe-place");
    root.stops = [...steps.keys()];
    root.at = (k, atOnce) => go(place, steps[k], atOnce);
  }

  // A vote: the question; its choices, with a field for the hands of each; with two rounds, the talk, and a second field;
  // then the answer over the picture as it was; then the picture goes where the answer lies.
  function mountVote(root) {
    const { question, choices, states, rounds, tempting } = JSON.parse(root.dataset.vote);
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
    root.stops = stages.flatMap((stage, k) => (["choices", "answered", "settled"].includes(stage) ? [k] : [])); // alone, without a room
    root.at = (k, atOnce) => {
      root.dataset.stage = stages[k];
      said.replaceChildren(...(k >= stages.indexOf("answered") ? why : []));
      go(place, states[Number(stages[k] === "settled")], atOnce);
    };
    root.dataset.stage = stages[0];
  }
  for (const root of document.querySelectorAll(".steps")) mountSteps(root);
  for (const root of document.querySelectorAll(".vote")) mountVote(root);

  const inside = (slide) => [...(slide?.querySelectorAll(".steps, .vote") ?? [])];
  const stop = (root) => root.querySelectorAll(".fragment.visible").length;
  const stand = (slide) => inside(slide).forEach((root) => root.at(stop(root), true));
  const walked = ({ fragment }) => {
    const root = fragment.closest(".steps, .vote");
    root?.at(stop(root));
  };
  Reveal.on("fragmentshown", walked);
  Reveal.on("fragmenthidden", walked);
  Reveal.on("slidechanged", ({ previousSlide, currentSlide }) => {
    document.activeElement?.blur(); // the arrows flip slides again
    for (const place of previousSlide?.querySelectorAll(".pe-place") ?? []) place.explorer?.begin(); // and leaves the full screen
    const last = currentSlide.querySelectorAll(".fragment").length - 1;
    if (previousSlide && !PREVIEW && last >= 0) {
      const [from, to] = [previousSlide, currentSlide].map((slide) => Reveal.getIndices(slide).h);
      Reveal.slide(to, 0, to < from ? last : -1);
    }
    stand(currentSlide);
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
  // A phone held upright shows one slide above the other, and each has a button for its steps; a vote opens its answer to
  // those who have chosen.
  function scroll() {
    Reveal.destroy();
    for (const slide of document.querySelectorAll(".slides section")) slide.className = "", slide.removeAttribute("style");
    document.documentElement.classList.add("upright");
    for (const root of inside(document)) {
      let n = 0;
      const button = h("button", { className: "next", on: { click: () => show((n + 1) % root.stops.length) } });
      const choices = [...root.querySelectorAll(".choice")].map((choice, k) => {
        const own = h("button", { className: "choice", aria: { pressed: "false" }, on: { click: () => choose(k) } }, choice.textContent);
        choice.replaceWith(own);
        return own;
      });
      function show(k, atOnce) {
        root.at(root.stops[(n = k)], atOnce);
        button.textContent = choices.length && !n ? "Show the answer" : n + 1 < root.stops.length ? "Next step" : "From the start";
      }
      function choose(chosen) {
        choices.forEach((choice, k) => choice.setAttribute("aria-pressed", String(k === chosen)));
        button.disabled = false;
      }
      root.append(button);
      button.disabled = choices.length > 0;
      show(0, true);
    }
  }
  const ready = (done) => (Reveal.isReady() ? done() : Reveal.on("ready", done));
  ready(() => (innerWidth < 600 && !PREVIEW ? scroll() : stand(Reveal.getCurrentSlide())));
}
