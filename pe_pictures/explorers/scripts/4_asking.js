// Between a picture and what draws it: one question at a time, and what the learner waits for before what may come next.

const KEPT = 128; // pictures that are ready to be shown again
const PATIENCE = 4000; // milliseconds after which the page says that no answer has come
const REST = 200; // milliseconds after which the kernel hears where a picture is that needed nothing from it
const GLANCE = 250; // milliseconds between two looks: a page that is busy itself looks late, and blames nobody
const SILENT = "This picture got no answer. If a cell is still running, it comes after that; if not, run the cell of this picture again.";

// `goal` and `shown` are the states of the controls and of the picture, `ahead` one that may come next, if there is one.
// `heard` is told of what comes: an `answer`, one asked `ahead`, or where another view of the picture is (`elsewhere`).
function asking(source, { work, isTall, goal, shown, ahead, heard, say }) {
  const own = Math.random().toString(36).slice(2); // all views of a picture hear all answers
  const kept = new Map(), backgrounds = {}; // state → answer, the one used last at the end; size → the last background
  let counter = 0, asked, late, resting, silent = false, era, known; // where the kernel has the picture

  const key = (values) => `${isTall()} ${JSON.stringify(Object.entries(values).sort())}`;
  function find(values) {
    return kept.get(key(values));
  }
  function keep(answer) {
    const name = key(answer.values);
    kept.delete(name);
    kept.set(name, answer);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  }
  function serve() {
    if (asked) return;
    const mine = !find(goal()), values = mine ? goal() : ahead();
    if (!values) return;
    asked = { number: `${own} ${++counter}`, key: key(values), ahead: !mine };
    if (mine) known = asked.key;
    wait(source.patience ?? (work ? 10 * PATIENCE : PATIENCE)); // to learn a hundred steps takes a while
    const begins = source.stands && !shown(); // then the picture is taken where it stands in the kernel
    const request = { number: asked.number, set: begins ? {} : { ...values }, ahead: !mine, tall: isTall(), fresh: !shown() };
    request.changed = Object.keys(values).filter((name) => values[name] !== shown()?.[name]);
    if (source.ask(request) === false) nothing();
  }
  function wait(left) {
    late = setTimeout(() => (left > GLANCE ? wait(left - GLANCE) : nothing()), GLANCE);
  }
  function nothing() {
    clearTimeout(late);
    asked = undefined;
    silent = true;
    say(SILENT);
  }
  function tell(values) { // once the picture rests
    clearTimeout(resting);
    if (!source.tell) return;
    resting = setTimeout(() => {
      if (asked) return tell(values);
      if (known === key(values)) return;
      known = key(values);
      if (source.tell({ quiet: true, set: { ...values }, by: own }) === false) nothing();
    }, REST);
  }
  function answered(answer) {
    if (answer.by) return answer.by !== own && ((known = key(answer.values)), heard.elsewhere(answer.values));
    if (answer.era !== undefined && answer.era !== era) kept.clear(), (era = answer.era);
    if (answer.background) backgrounds[answer.tall] = answer.background;
    const mine = answer.number?.startsWith(own), question = mine && answer.number === asked?.number ? asked : undefined;
    if (question) (asked = undefined), clearTimeout(late);
    if (mine && silent) (silent = false), say("");
    const drawn = answer.moving && !!answer.tall === isTall() ? { ...answer, background: backgrounds[answer.tall] } : undefined;
    if (drawn) keep(drawn);
    if (!mine && !answer.ahead) known = key(answer.values);
    if (answer.ahead) heard.ahead();
    else heard.answer(drawn ?? answer, { mine, last: !question || question.key === key(goal()) });
    serve();
  }
  source.listen(answered);
  return { find, serve, tell, answered, end: () => (clearTimeout(late), clearTimeout(resting)) };
}
