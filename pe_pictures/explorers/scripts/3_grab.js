// Let a pointer take hold of a picture: what it goes down on moves fields along with it, until it goes up.
// `move` hears for each field the value it is at, and where that lies `between` whole ones; `rest` hears the end.

function grabbing(sheet, { targets, width, valueOf, endsOf, move, rest }) {
  let held; // the target, and where it has moved the field that turns
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
  sheet.addEventListener("pointerdown", (event) => {
    const target = event.isPrimary && !event.button && targetAt(placed(event));
    if (!target) return;
    sheet.setPointerCapture(event.pointerId);
    held = { target };
    move(valuesAt(target, placed(event)));
  });
  sheet.addEventListener("pointermove", (event) => {
    if (held) move(valuesAt(held.target, placed(event)));
    else sheet.style.cursor = targetAt(placed(event)) ? "grab" : "";
  });
  for (const name of ["pointerup", "pointercancel"]) sheet.addEventListener(name, () => held && ((held = undefined), rest()));
  // A finger on a dial or a table does not scroll the page; one on a wave scrolls it upward and downward still.
  function keep(event) {
    const target = targetAt(placed(event.touches[0]));
    if (target?.around || target?.down) event.preventDefault();
  }
  sheet.addEventListener("touchstart", keep, { passive: false });
}
