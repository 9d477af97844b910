// What slides need beyond reveal.js: questions to the room, and pictures that begin anew when a slide is entered again.
// Loaded after the explorers' script, whose `h` makes elements.
{
  const PRINTED = /print-pdf/.test(location.search);
  const FIRST_LOOK = 700; // milliseconds for which a picture stands as it was asked about, before it moves to the answer

  // On paper every picture stands still.
  if (PRINTED) for (const place of document.querySelectorAll("[data-explorer]")) delete place.dataset.explorer;

  // A question: numbered choices, counts that may be typed, and the picture that settles it, once it is asked for.
  function mountVote(root) {
    const { question, choices, then } = JSON.parse(root.dataset.vote);
    const place = root.querySelector(".pe-place");
    const counts = choices.map((_, k) => h("input", { type: "text", inputMode: "numeric", on: { input: drawBars }, aria: { label: `hands for ${k + 1}` } }));
    const bars = choices.map(() => h("span", { className: "bar" }));
    const rows = choices.map(([choice, , right], k) => h("li", { className: right ? "right" : "" }, h("span", { className: "choice" }, choice), counts[k], h("span", { className: "track" }, bars[k])));
    const button = h("button", { on: { click: () => (root.classList.contains("answered") ? Reveal.prevFragment() : Reveal.nextFragment()) } }, "Show the answer");
    const said = h("p", { className: "said", aria: { role: "status" } });
    const settled = h("div", { className: "settled" }, place);
    const asked = h("div", { className: "asked", on: { keydown: keep } }, h("p", { className: "question" }, question), h("ol", {}, ...rows), said, button);
    root.replaceChildren(asked, settled, h("span", { className: "fragment", aria: { hidden: "true" } }));

    function drawBars() {
      const numbers = counts.map(({ value }) => Math.max(0, Number(value) || 0)), most = Math.max(1, ...numbers);
      bars.forEach((bar, k) => (bar.style.width = `${(100 * numbers[k]) / most}%`));
    }
    // A field and a button keep their keys; whatever flips slides for a clicker does so here too.
    function keep(event) {
      if (event.key.startsWith("Page") || (event.target === button && ![" ", "Enter"].includes(event.key))) return;
      if (event.key === "Escape") event.target.blur();
      event.stopPropagation();
    }
    let moving;
    function answer(on) {
      clearTimeout(moving);
      root.classList.toggle("answered", on);
      button.textContent = on ? "Back to the question" : "Show the answer";
      const right = choices.findIndex((choice) => choice[2]);
      const hands = counts.map(({ value }, k) => `${k + 1}: ${value || 0}`).join(" · ");
      said.replaceChildren(...(on ? [h("span", { className: "which" }, `✓ ${right + 1}. ${choices[right][0]}`)] : []));
      if (on && counts.some(({ value }) => value)) said.append(h("span", { className: "hands" }, hands));
      if (on) show();
      else place.explorer?.begin();
    }
    function show() {
      if (!place.explorer) return (moving = setTimeout(show, 50)); // the picture is still on its way
      place.explorer.uncover();
      moving = setTimeout(place.explorer.walk, FIRST_LOOK, then);
    }
    function begin() {
      answer(false);
      for (const count of counts) count.value = "";
      drawBars();
    }
    root.vote = { answer, begin };
  }
  for (const root of document.querySelectorAll(".vote")) mountVote(root);

  const inside = (slide, selector) => [...(slide?.querySelectorAll(selector) ?? [])];
  Reveal.on("fragmentshown", ({ fragment }) => fragment.closest(".vote")?.vote.answer(true));
  Reveal.on("fragmenthidden", ({ fragment }) => fragment.closest(".vote")?.vote.answer(false));
  Reveal.on("slidechanged", ({ previousSlide, currentSlide }) => {
    document.activeElement?.blur(); // the arrows flip slides again
    for (const place of inside(previousSlide, "[data-explorer]")) place.explorer?.begin();
    for (const root of inside(previousSlide, ".vote")) root.vote.begin();
    if (inside(currentSlide, ".vote").length) Reveal.slide(...Object.values(Reveal.getIndices(currentSlide)).slice(0, 2), -1);
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
  const ready = (done) => (Reveal.isReady() ? done() : Reveal.on("ready", done));
  ready(() => Reveal.addKeyBinding({ keyCode: 65, key: "A", description: "Show the answer" }, () => inside(Reveal.getCurrentSlide(), ".vote").length && Reveal.nextFragment()));
}
