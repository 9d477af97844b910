// Play a picture along its axis: evenly, at two speeds, and again from the first place once it has rested at the last.

const AGAIN = 1200, WORKING = 40; // milliseconds at the last place; and from the end of a step that is work to the next

// `goTo(place, far)` moves what is played, `at()` says where it is, `run` lets it glide and `ready` says whether it can.
function playing(scale, { work, speed, at, goTo, run, ready, settle, told }) {
  let how = "", back = false, fast = false, timer;
  function play(once) {
    how = once ? "once" : "on and on";
    told(true);
    if (at() === scale.greatest()) rewind();
    else roll();
  }
  function roll() {
    clearTimeout(timer);
    back = false;
    if (ready()) run(scale.greatest(), speed() * (fast ? 3 : 1));
    else timer = setTimeout(() => (at() === scale.greatest() ? end() : goTo(scale.next(at(), 1))), work ? WORKING : 1000 / speed());
  }
  function rewind() {
    back = true;
    goTo(scale.least(), true);
  }
  function end() {
    if (how === "once" || work) return pause();
    clearTimeout(timer);
    timer = setTimeout(rewind, AGAIN);
  }
  function pause() {
    clearTimeout(timer);
    if (!how) return;
    how = "";
    told(false);
    if (ready()) settle();
  }
  return {
    play, pause,
    get on() { return !!how; },
    get once() { return how === "once"; },
    // Where it has come to: by gliding, or at once.
    passed: (place) => how && (back ? place === scale.least() && roll() : place === scale.greatest() && end()),
    arrived: () => how && roll(),
    change() {
      fast = !fast;
      if (how && !back) roll();
      return fast;
    },
  };
}
