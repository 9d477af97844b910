// Check my encoding: one box and one button. Python is fetched when something is pasted or typed, and answers.
const form = document.querySelector(".pe-box");
if (form) {
  const { paste, base, diagnose, halt } = form.elements, out = form.nextElementSibling;
  const status = form.querySelector("[role=status]"), WORD = diagnose.textContent;
  const place = { root: form, alone: true, waits: false, say: (words) => (diagnose.textContent = words) };
  cells.push(place); // which hears how much of Python has come
  let asking = false, lives = false; // whether somebody waits for an answer, and whether Python is there

  async function ask(code, hear) {
    const mine = (python ??= new Python()), before = mine.turn;
    let over;
    mine.turn = new Promise((resolve) => (over = resolve));
    try {
      await before;
      return await mine.run("box", code, hear);
    } finally {
      over();
    }
  }
  const examples = [...form.querySelectorAll("[data-paste]")];
  // The first diagnosis of all takes longer, so an example has it; what goes wrong, the answer says.
  const fetched = () => python || ask(`import box\nbox.warm(${JSON.stringify(examples[0].dataset.paste)})`, warm).catch(() => {});
  const warm = ({ kind }) => kind === "running" && answers.running();
  function wait(on) {
    asking = on;
    place.waits = on && !lives;
    form.ariaBusy = String(on);
    diagnose.setAttribute("aria-disabled", on); // and not `disabled`, which would lose the focus
    place.say(on ? (lives ? "Diagnosing" : "Fetching Python") : WORD);
    if (!on) halt.hidden = true;
  }
  function say(words, wrong = false) {
    status.className = wrong ? "pe-unread" : "pe-heard"; // an answer is to be seen below, and only heard here
    if (wrong) status.innerHTML = prose(el("i", { textContent: words }).innerHTML);
    else status.textContent = words;
    paste.ariaInvalid = String(wrong);
  }
  function copy(text) {
    const button = el("button", { type: "button", textContent: "Copy answer as text" });
    button.onclick = async () => (button.textContent = (await copied(text)) ? "Copied" : "Your browser doesn't let this page copy");
    return el("div", { className: "pe-bar" }, button);
  }
  const answers = {
    running() {
      lives = true;
      if (!asking) return;
      place.waits = false;
      place.say("Diagnosing");
      halt.hidden = false;
    },
    unread: ({ text }) => say(text, true),
    error: ({ text }) => say(text.trim().split("\n").pop(), true),
    diagnosis({ said, html, text }) {
      const told = el("section", { className: "pe-said", innerHTML: html });
      if (!out.childElementCount) say(said);
      told.append(copy(text));
      out.append(told);
    },
    explorer: (data) => out.append(show.explorer(data)),
  };
  async function answer() {
    if (asking) return;
    out.replaceChildren();
    say("");
    wait(true);
    try {
      const code = `import box\nbox.tell(${JSON.stringify(paste.value)}, ${JSON.stringify(base.value || "10000")})`;
      await ask(code, (data) => answers[data.kind]?.(data));
    } catch (trouble) {
      lives = false;
      say(trouble.message.replace("Run tries", `${WORD} tries`), true);
    }
    wait(false);
    out.firstElementChild?.scrollIntoView({ block: "nearest" });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer();
  });
  paste.addEventListener("input", fetched);
  paste.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) form.requestSubmit();
  });
  halt.addEventListener("click", () => {
    diagnose.focus();
    python?.end("Stopped.");
  });
  for (const button of examples) {
    button.addEventListener("click", () => {
      paste.value = button.dataset.paste;
      form.requestSubmit();
    });
  }
}
