// Let a pointer take hold of a picture: what it goes down on moves fields along with it, until it goes up.
// `move` hears for each field the value it is at, and where that lies `between` whole ones; `rest` hears the end.
// A finger takes hold once it has moved across, or by a tap when it leaves; one that moves up or down scrolls the page,
// unless it has come down on the orange handle, one of the `marks`.

const HANDLE = 24; // pixels around a mark that are the mark's

function grabbing(sheet, { targets, marks, width, valueOf, endsOf, move, rest }) {
  let held; // the target, and where it has moved the field that turns
  let touched; // where a finger has come down that holds nothing yet
  const wrapped = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  function placed({ clientX, clientY }) {
    const box = sheet.getBoundingClientRect(), scale = width() / box.width;
    return [(clientX - box.left) * scale, (clientY - box.top) * scale];
  }
  function targetAt([x, y]) {
    return targets().find(({ box: [left, top, wide, high] }) => x >= left && y >= top && x < left + wide && y < top + high);
  }
  function valuesAt({ box: [left, top, wide, high], across, down, around, sets }, [x, y]) {
    const found = Object.fromEntries(Object.entries(sets).map(([name, value]) => [name, { value }]));
    for (const [side, part] of [[across, (x - left) / wide], [down, (y - top) / high]]) {
      if (!side) continue;
      const [name, values] = side, at = clamp(part * values.length - 0.5, 0, values.length - 1), k = Math.floor(at);
      found[name] = { value: values[Math.round(at)], between: values[k] + (at - k) * ((values[k + 1] ?? values[k]) - values[k]) };
    }
    if (around) { // the hand follows the pointer, the shorter way
      const [name, turn] = around, pointed = Math.atan2(top + high / 2 - y, x - left - wide / 2);
      const now = held.turned ?? valueOf(name), by = (wrapped(pointed - (2 * Math.PI * now) / turn) * turn) / (2 * Math.PI);
      held.turned = clamp(now + by, ...endsOf(name));
      found[name] = { value: Math.round(held.turned), between: held.turned };
    }
    return found;
  }
  const way = ({ clientX, clientY }) => [Math.abs(clientX - touched.x), Math.abs(clientY - touched.y)];
  const stays = (event) => Math.max(...way(event)) < SLOP;
  function take(event, target) {
    sheet.setPointerCapture(event.pointerId);
    held = { target };
    move(valuesAt(target, placed(event)));
  }
  sheet.addEventListener("pointerdown", (event) => {
    const target = event.isPrimary && !event.button && targetAt(placed(event));
    if (!target) return;
    if (event.pointerType !== "touch") take(event, target);
    else touched = { target, x: event.clientX, y: event.clientY, keeps: keeps(event, target) };
  });
  sheet.addEventListener("pointermove", (event) => {
    if (held) return move(valuesAt(held.target, placed(event)));
    if (!touched) return (sheet.style.cursor = targetAt(placed(event)) ? "grab" : "");
    if (!stays(event) && (touched.keeps || way(event)[0] > way(event)[1])) take(event, touched.target);
  });
  function end() {
    touched = undefined;
    if (held) (held = undefined), rest();
  }
  sheet.addEventListener("pointerup", (event) => {
    if (touched && !held && stays(event)) take(event, touched.target);
    end();
  });
  sheet.addEventListener("pointercancel", end); // the page scrolls
  function keeps({ clientX: x, clientY: y }, target) { // whether it does not scroll the page
    const near = ({ left, right, top, bottom }) => x > left - HANDLE && x < right + HANDLE && y > top - HANDLE && y < bottom + HANDLE;
    return (target?.around || target?.down) && marks().some((mark) => near(mark.getBoundingClientRect()));
  }
  const keep = (event) => keeps(event.touches[0], targetAt(placed(event.touches[0]))) && event.preventDefault();
  sheet.addEventListener("touchstart", keep, { passive: false });
}
