"""On a page opened from a folder, without a kernel: pictures glide, can be grabbed, are covered, dark, upright."""

import functools
import io
import itertools
import re
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from hostile import ALARM, HOSTILE
from panels import ALLOWED, EXPLORERS, Seen, drag_round, until
from PIL import Image

import pe_pictures
from pe_lib.clinic import LAYOUTS
from pe_pictures.explorers.pack import script
from pe_pictures.explorers.script import SCRIPT, STYLE

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
PAGED = ("explore_stacking", "explore_workbench")  # what one takes hold of there has one value but for the pages
FEW = (
    {"start": range(-3, 21)},
    {"layout": LAYOUTS, "transposed": (False, True)},
)  # of the workbench, which diagnoses each
WHOLE = ("explore_clocks", "explore_waves", "explore_number", "explore_similarity")  # with all that their pages have
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

pytestmark = pytest.mark.browser


def written(folder, explorers, name="index.html", head="", more="") -> str:
    """Write a page with explorers, their packs beside it; return its address."""
    hosts = ""
    for key, (explorer, attributes) in explorers.items():
        tall = f" data-tall={key}-tall.js" if explorer.spec()["sheets"]["tall"] else ""
        (folder / f"{key}.js").write_text(script(key, explorer), errors="surrogatepass")
        if tall:
            (folder / f"{key}-tall.js").write_text(script(f"{key}-tall", explorer, tall=True), errors="surrogatepass")
        hosts += f"<div class=pe-place data-explorer={key} data-pack={key}.js{tall} {attributes}></div>\n"
    (folder / "script.js").write_text(f"globalThis.pePage = true;\n{SCRIPT}")
    (folder / name).write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Explorers</title>{head}"
        "<meta name=viewport content='width=device-width'><meta name=color-scheme content='light dark'>"
        f"<style>{STYLE} body {{ margin: 16px }} .pe-place {{ margin: 24px auto }}</style>"
        f"{hosts}{more}<script src=script.js></script>"
    )
    return f"file://{folder}/{name}"


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    """Write one page with all explorers, most of them with two presets only."""
    explorers = {}
    for name in EXPLORERS:
        explorer = getattr(pe_pictures, name)()
        if name not in (*WHOLE, *PAGED):
            explorer.presets = dict(itertools.islice(explorer.presets.items(), 2))
            explorer.picture.pages = ()
        if name == "explore_workbench":
            explorer.picture.pages = FEW
        explorers[name] = (explorer, "")
    return written(tmp_path_factory.mktemp("page"), explorers)


@pytest.fixture(scope="module")
def page(open_page, address):
    page = open_page(viewport={"width": 1280, "height": 720})
    page.goto(address)
    return page


@pytest.fixture(scope="module")
def phone(open_page, address):
    page = open_page(**PHONE)
    page.goto(address)
    return page


@pytest.fixture(autouse=True)
def _nothing_goes_wrong(request):
    yield
    for name in {"page", "phone"} & {*request.fixturenames}:
        page = request.getfixturevalue(name)
        troubles, page.troubles = page.troubles, []
        assert troubles == []


def seen(page, name: str) -> Seen:
    """Return an explorer of the page, in its first state and at rest."""
    found = Seen(page, page.locator(f"[data-explorer={name}] .pe-explorer"))
    if found.panel.get_by_role("button", name="Show the answer").count():
        found.press("a")
    found.press("0")
    found.at_rest()
    return found


def targets(name: str, state: dict, *, tall: bool = False) -> list:
    """Return what can be grabbed in a state."""
    return getattr(pe_pictures, name)().answer({"set": state, "fresh": True, "tall": tall})["targets"]


@pytest.mark.parametrize("name", EXPLORERS)
def test_keys_move_choose_presets_and_quiz(page, name):
    one, explorer = seen(page, name), getattr(pe_pictures, name)()
    first = one.state
    back = one.place == float(one.axis.get_attribute("max"))
    one.press("ArrowLeft" if back else "ArrowRight")
    until(page, lambda: one.state != first, "a step")
    one.press("0")
    one.until(**first)
    assert one.words == explorer.picture.describe()
    one.press("1")
    until(page, lambda: one.panel.locator("button[aria-pressed=true]:not(.pe-tools *)").count(), "a chip to be on")
    open_picture, title = one.panel.locator(".pe-stage").screenshot(), one.title
    one.press("a")
    explorer.answer({"set": one.state})
    assert one.words == explorer.picture.describe(covered=True)
    assert one.title == explorer.spec()["question"] or "…" in one.title
    if "\x02" in explorer.picture.words():  # there is an answer in this state
        assert one.panel.locator(".pe-stage").screenshot() != open_picture
    one.press("a", "?")
    assert one.title == title
    dialog = one.panel.get_by_role("dialog")
    assert dialog.evaluate("dialog => dialog === document.activeElement"), "it takes the focus"
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert one.axis.evaluate("axis => axis === document.activeElement"), "and gives it back"


@pytest.mark.parametrize("name", EXPLORERS)
def test_the_mouse_takes_hold_of_the_picture_and_marks_nothing(page, name):
    one = seen(page, name)
    for target in targets(name, one.state)[:6]:
        before = one.state
        page.mouse.move(*one.point(target, 0.2, 0.2))
        cursor = one.panel.locator(".pe-sheet").evaluate("sheet => sheet.style.cursor")
        if target["sets"] and not cursor:
            continue  # this page does not have the state that the target leads to
        assert cursor == "grab"
        page.mouse.down()
        for part in (0.4, 0.6, 0.8, 0.95):
            page.mouse.move(*one.point(target, part, part))
        page.mouse.up()
        if one.state != before:
            break
    else:
        pytest.fail("nothing has moved")
    one.at_rest()
    assert page.evaluate("String(getSelection())") == ""
    moved = {field for field in before if one.state[field] != before[field]}
    assert moved <= {*getattr(pe_pictures, name)().fields}, "every drag has a control that does the same"


def test_a_hand_follows_the_pointer_round_and_round(page):
    one = seen(page, "explore_clocks")
    one.press("Home")
    one.until(position=0)
    dial = targets("explore_clocks", one.state)[0]
    drag_round(page, one, dial, np.linspace(0, 10, 60))  # radians of a hand that turns by one for each position
    assert one.place == pytest.approx(10, abs=0.2)
    page.mouse.up()
    one.until(position=10)


@pytest.mark.parametrize("name", WHOLE)
def test_between_whole_places_the_picture_is_where_the_formula_says(page, name):
    one, explorer = seen(page, name), getattr(pe_pictures, name)()
    play, worst = explorer.play, 0.0
    one.press("Home")
    one.at_rest()
    for k in range(1, min(4, int(one.axis.get_attribute("max")))):
        one.panel.evaluate(
            "(panel, at) => { const axis = panel.querySelector('.pe-axis input');"
            " axis.value = at; axis.dispatchEvent(new Event('input')) }",
            k + 0.37,
        )
        assert one.place == pytest.approx(k + 0.37)
        explorer.picture.state = {**explorer.picture.state, play: k + 0.37}
        true = re.findall(r"<(path|rect|circle)([^>]*)>", "".join(explorer.picture.frame().moving))
        # The grey boxes of words, seen under a cover alone, are as wide as the words, and those change at whole places.
        shown = [node for node in one.drawn() if node[0] in ("path", "rect", "circle")][-len(true) :]
        for (tag, attributes), (now, _, found) in zip(true, shown, strict=True):
            assert tag == now
            if "veil" in attributes:
                continue
            for attribute, value in re.findall(r' (d|x|y|cx|cy|width|height)="([^"]*)"', attributes):
                expected, actual = (np.array(NUMBER.findall(text), float) for text in (value, found[attribute]))
                worst = max(worst, float(np.abs(expected - actual).max()))
    one.panel.evaluate("panel => panel.querySelector('.pe-axis input').dispatchEvent(new Event('change'))")
    assert 0 < worst <= 1, "pixels of the sheet"


def test_a_key_glides_has_an_end_and_asks_for_nothing_at_rest(page):
    one = seen(page, "explore_clocks")
    one.axis.evaluate("""(axis) => {
        window.places_ = [] // at each frame that is asked for
        const ask = (window.ask_ ??= requestAnimationFrame)
        window.requestAnimationFrame = (f) => (window.places_.push(axis.valueAsNumber), ask(f))
    }""")
    for position in range(6, 16):
        one.press("ArrowRight")
        until(page, lambda: one.place == position == one.state["position"], "the next position")  # noqa: B023
        places = page.evaluate("window.places_")
        if any(place % 1 for place in places):
            break
    else:
        pytest.fail(f"ten steps and no frame between two positions, among {len(places)}: it jumps, or is far too slow")
    page.wait_for_timeout(300)
    frames = page.evaluate("window.places_.length")
    page.wait_for_timeout(500)
    assert page.evaluate("window.places_.length") == frames <= 30 * (position - 5)


def test_playing_is_even_has_two_speeds_and_begins_again(page):
    one = seen(page, "explore_number")
    one.press("Home", "Space")
    last = float(one.axis.get_attribute("max"))
    one.until(position=int(last))
    until(page, lambda: one.place < last, "it to begin again")
    one.press("Space")
    one.at_rest()
    place = one.state
    page.wait_for_timeout(600)
    assert one.state == place
    one.panel.get_by_role("button", name="More").click()
    one.panel.get_by_role("button", name="Play faster").click()
    assert one.panel.get_by_role("button", name="Play slower").count() == 1


def test_a_training_plays_from_its_noise_to_its_end_step_by_step(page):
    one = seen(page, "explore_training")
    last, shown = one.state["step"], one.watch()
    one.panel.get_by_role("button", name="Train").click()
    until(page, lambda: [state["step"] for state in shown()][-1:] == [last], "the end")
    steps = {state["step"] for state in shown()}
    assert 0 in steps, "the noise"
    assert len(steps) > 10
    box = one.axis.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, lambda: abs(one.state["step"] - last / 2) <= last / 20, "half of the steps")


def test_a_picture_that_opens_by_playing_does_so_until_it_is_touched(open_page, address):
    for motion, moves in (("no-preference", True), ("reduce", False)):
        page = open_page(viewport={"width": 1280, "height": 720}, reduced_motion=motion)
        page.goto(address)
        one = Seen(page, page.locator("[data-explorer=explore_number] .pe-explorer"))
        first = pe_pictures.explore_number().picture.state["position"]
        if moves:
            until(page, lambda one=one, first=first: one.place != first, "it to play")
        page.wait_for_timeout(0 if moves else 1200)
        assert (one.place != first) is moves
        one.panel.locator(".pe-says").click()
        one.at_rest()
        place = one.place
        page.wait_for_timeout(800)
        assert one.place == place
        page.close()


def test_with_reduced_motion_a_key_leads_from_place_to_place(open_page, address):
    page = open_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.goto(address)
    one = seen(page, "explore_waves")
    one.press("ArrowRight")
    assert one.place == 1
    one.press("Space")
    places = set()
    until(page, lambda: places.add(one.place) or len(places) >= 3, "it to play")
    assert all(place % 1 == 0 for place in places)
    page.close()


def test_where_another_field_changes_the_pictures_cross_fade(page):
    one = seen(page, "explore_waves")
    sheet = one.panel.locator(".pe-sheet")
    sheet.evaluate("""sheet => {
        const layers = sheet.shadowRoot, note = () => sheet.counts.push(layers.querySelectorAll('.picture').length)
        sheet.counts = []
        new MutationObserver(note).observe(layers, { childList: true, subtree: true })
    }""")
    name = next(chip for chip, state in pe_pictures.Waves.presets.items() if "position" not in state)
    one.panel.get_by_role("button", name=name, exact=True).click()
    until(page, lambda: 2 in sheet.evaluate("sheet => sheet.counts"), "two pictures")
    until(page, lambda: sheet.evaluate("sheet => sheet.counts.at(-1)") == 1, "the one that is left")


def test_a_number_can_be_typed(page):
    one = seen(page, "explore_waves")
    one.panel.get_by_role("button", name="More").click()
    box = one.panel.get_by_label("position, typed")
    box.fill("7")
    box.press("Enter")
    one.until(position=7)
    box.fill("seven")
    box.press("Enter")
    assert (one.state["position"], box.input_value()) == (7, "7")


@pytest.mark.parametrize("width", [1280, 848, 673])
def test_a_picture_fits_on_one_screen(open_page, address, width):
    page = open_page(viewport={"width": width, "height": 720})
    page.goto(address)
    for name in EXPLORERS:
        one = Seen(page, page.locator(f"[data-explorer={name}] .pe-explorer"))
        assert one.panel.bounding_box()["height"] <= 560, name
        assert one.panel.locator(".pe-foot").bounding_box()["height"] <= 40, name
        foot = one.panel.locator(".pe-foot").evaluate("foot => [foot.scrollWidth, foot.clientWidth]")
        assert foot[0] <= foot[1], name
        if width == 1280:
            assert one.panel.locator(".pe-says").bounding_box()["height"] <= 33, name
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


@pytest.mark.parametrize("name", EXPLORERS)
def test_upright_picture_and_control_are_on_one_screen(phone, name):
    one = Seen(phone, phone.locator(f"[data-explorer={name}] .pe-explorer"))
    box, axis = one.panel.bounding_box(), one.panel.locator(".pe-axis").bounding_box()
    assert axis["y"] + axis["height"] - box["y"] <= 844
    parts = one.panel.locator("button:visible, .pe-axis input")
    assert min(part.bounding_box()["height"] for part in parts.all()) >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_finger_turns_a_hand_and_a_page_still_scrolls(phone):
    one = seen(phone, "explore_clocks")
    touch = phone.context.new_cdp_session(phone)

    def swipe(*points) -> None:
        for kind, at in [("touchStart", points[0]), *(("touchMove", at) for at in points[1:]), ("touchEnd", None)]:
            dots = [{"x": at[0], "y": at[1]}] if at else []
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": dots})
            phone.wait_for_timeout(20)

    top, dial = phone.evaluate("scrollY"), targets("explore_clocks", one.state, tall=True)[0]
    before = one.state["position"]
    swipe(*(one.point(dial, 0.5 + 0.4 * np.cos(a), 0.5 - 0.4 * np.sin(a)) for a in np.linspace(-1.2, 0.8, 12)))
    one.at_rest()
    assert one.state["position"] == before + 2
    assert phone.evaluate("scrollY") == top
    x, y, *_ = one.panel.locator(".pe-says").bounding_box().values()
    swipe(*((x + 50, y + 60 - 12 * k) for k in range(10)))
    phone.wait_for_timeout(300)
    assert phone.evaluate("scrollY") != top


def test_only_narrow_panels_fetch_the_upright_pack(open_page, address):
    for viewport, tall in (({"width": 1280, "height": 720}, False), ({"width": 390, "height": 844}, True)):
        page = open_page(viewport=viewport)
        asked = []
        page.on("request", lambda request, asked=asked: asked.append(request.url.rsplit("/", 1)[-1]))
        page.goto(address)
        Seen(page, page.locator("[data-explorer=explore_clocks] .pe-explorer"))
        assert ("explore_clocks-tall.js" in asked, "explore_clocks.js" in asked) == (tall, not tall)
        page.close()


def test_full_screen_holds_all_of_it_and_escape_leads_back(page):
    one = seen(page, "explore_waves")
    one.press("f")
    page.wait_for_function("document.querySelector('.pe-whole')")
    page.wait_for_timeout(200)
    foot, window = one.panel.locator(".pe-foot").bounding_box(), page.evaluate("[innerWidth, innerHeight]")
    assert foot["y"] + foot["height"] <= window[1]
    one.panel.dispatch_event("keydown", {"key": "Escape", "bubbles": True})
    page.wait_for_function("!document.querySelector('.pe-whole')")


def test_where_full_screen_is_refused_it_fills_the_frame(open_page, address):
    folder = address.removeprefix("file://").removesuffix("/index.html")
    handler = functools.partial(QuietHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = open_page(viewport={"width": 1100, "height": 640})
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        page.set_content("<iframe sandbox=allow-scripts width=1000 height=600 src=index.html></iframe>")
        frame = page.frame_locator("iframe")
        frame.locator(".pe-stage[data-shown]").first.wait_for()
        frame.locator(".pe-axis input").first.focus()
        page.keyboard.press("f")
        whole = frame.locator(".pe-whole")
        whole.wait_for()
        assert whole.bounding_box()["height"] == pytest.approx(600, abs=6)
        page.close()
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_one_picture_serves_light_and_dark(open_page, address):
    looks = {}
    for scheme in ("light", "dark"):
        page = open_page(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
        page.goto(address)
        one = seen(page, "explore_heatmap")
        pixels = np.asarray(Image.open(io.BytesIO(one.panel.screenshot())).convert("L"))
        looks[scheme] = (one.drawn(), float(np.median(pixels)), int(pixels.max()) - int(pixels.min()))
        page.close()
    assert looks["light"][0] == looks["dark"][0]
    assert looks["light"][1] > 200 > 60 > looks["dark"][1]
    assert looks["dark"][2] > 150, "words stand out on the dark page"


def test_hostile_sentences_are_words_and_nothing_else(open_page, tmp_path):
    explorers = {}
    for k, sentence in enumerate(HOSTILE):
        explorer = pe_pictures.explore_number(sentence)
        explorer.presets, explorer.picture.pages = {}, ()
        explorers[f"e{k}"] = (explorer, "")
    page = open_page(viewport={"width": 1280, "height": 720})
    page.goto(written(tmp_path, explorers))
    for k, sentence in enumerate(HOSTILE):
        one = Seen(page, page.locator(f"[data-explorer=e{k}] .pe-explorer"))
        nodes = one.drawn()
        assert {name for name, _, _ in nodes} <= {*ALLOWED, "div"}, sentence
        assert not [name for _, _, attributes in nodes for name in attributes if name.startswith("on")], sentence
        assert not [a["href"] for _, _, a in nodes if not a.get("href", "data:image/png").startswith("data:image/png")]
        assert one.panel.locator("script, img, iframe, a").count() == 0, sentence
    assert page.evaluate(ALARM.partition(" ")[0]) is None
    page.goto(f"file://{tmp_path}/index.html")
    assert page.troubles == []
    page.close()
