"""Pages in a real browser: they open without errors, fetch nothing, and run no script of a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, Page, chromium, running

from enumerator.api import load
from enumerator.corpus.batch import run_batch
from enumerator.drawing import draw
from enumerator.explanation import explain
from enumerator.frontend import load_text
from enumerator.options import BatchOptions
from enumerator.report.page.batch import Entry, batch_page
from enumerator.report.page.explanation import explanation_page
from enumerator.report.page.run import run_page
from enumerator.results.result import Picture, Result, State

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests"
HOSTILE = "</title></script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>\"'&"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    command = chromium()
    if command is None:
        pytest.skip("no Chromium on the path (Debian: apt-get install chromium): pages are not opened in a browser")
    with running(command) as found:
        yield found


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tests = [LITMUS / "message-passing/MP+rlx+rlx.ll", LITMUS / "profiles/amdgpu/profile-amdgpu-strict-barrier.ll"]
    results = []
    for test in tests:
        results += run_batch([str(test)], BatchOptions(pictures=8), 1)
    assert all(result.pictures for result in results)
    file = tmp_path_factory.mktemp("run") / "run.html"
    file.write_text(run_page(results), encoding="utf-8")
    return file


def clean(page: Page, file: Path) -> None:
    assert page.problems == []
    assert [url for url in page.requests if not url.startswith("data:")] == [file.resolve().as_uri()]
    assert page.evaluate("typeof window.hacked") == "undefined"


def visible(page: Page, selector: str) -> int:
    """Count the elements that take room on the page."""
    shown = "e => e.getClientRects().length && e.checkVisibility()"
    script = f"[...document.querySelectorAll({json.dumps(selector)})].filter({shown}).length"
    found = page.evaluate(script)
    assert isinstance(found, int)
    return found


def test_a_run_opens_with_its_witness(browser: Browser, run_file: Path) -> None:
    page = browser.open(run_file)
    clean(page, run_file)
    opened = page.evaluate(
        "[...document.querySelectorAll('article:first-of-type details[open] > summary')].map(e => e.textContent)"
    )
    assert opened[0] == "t1:%data=0; t1:%flag=1;"
    assert visible(page, "article:first-of-type figure svg") == 1
    assert page.evaluate("document.querySelector('details[open] svg').getBoundingClientRect().width") > 300
    lines = "article:first-of-type details[open] .source .hit"
    hits = page.evaluate(f"[...document.querySelectorAll('{lines}')].map(e => e.dataset.line)")
    assert hits == ["13", "14", "19", "20"]


def test_a_state_opens_its_picture(browser: Browser, run_file: Path) -> None:
    page = browser.open(run_file)
    before = visible(page, "article:first-of-type figure svg")
    page.evaluate("document.querySelector('article:first-of-type td a').click()")
    assert visible(page, "article:first-of-type figure svg") == before + 1
    clean(page, run_file)


@pytest.mark.parametrize("scripts", [True, False])
def test_relations_are_switched_off(browser: Browser, run_file: Path, scripts: bool) -> None:
    page = browser.open(run_file, scripts=scripts)
    figure = "article:first-of-type details[open] figure"
    assert visible(page, f"{figure} .ex-r-rf path") > 0
    page.evaluate(f"document.querySelector('{figure} input[value=\"ex-r-rf\"]').click()")
    assert visible(page, f"{figure} .ex-r-rf path") == 0
    assert visible(page, f"{figure} .ex-box") > 0


def test_readings_stand_side_by_side(browser: Browser, run_file: Path) -> None:
    page = browser.open(run_file, width=1800)
    lefts = page.evaluate(
        "[...document.querySelectorAll('.side-by-side > section')].slice(0, 2).map(e => e.getBoundingClientRect().top)"
    )
    assert len(lefts) == 2 and lefts[0] == lefts[1]


def test_without_scripts_the_essentials_are_there(browser: Browser, run_file: Path) -> None:
    page = browser.open(run_file, scripts=False)
    assert visible(page, "figure svg") >= 2
    count = visible(page, "figure svg")
    page.evaluate("document.querySelector('details:not([open]) > summary').click()")
    assert visible(page, "figure svg") == count + 1 or visible(page, "details[open]") >= 1


def test_the_keyboard_reaches_pictures_and_switches(browser: Browser, run_file: Path) -> None:
    page = browser.open(run_file)
    reached = set()
    for _ in range(40):
        page.press("Tab", 9)
        reached.add(page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className"))
    assert {"A.skip", "SUMMARY.mono", "INPUT.", "DIV.picture scroll", "PRE.source"} <= reached
    page.evaluate("document.querySelector('details:not([open]) > summary').focus()")
    page.press("Enter", 13, "\r")
    assert page.evaluate("document.activeElement.parentElement.open") is True


@pytest.mark.parametrize("dark", [False, True])
def test_colours_follow_what_the_reader_prefers(browser: Browser, run_file: Path, dark: bool) -> None:
    page = browser.open(run_file, dark=dark)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(20, 23, 28)" if dark else "rgb(255, 255, 255)")


def test_pictures_have_text_alternatives(browser: Browser, run_file: Path) -> None:
    page = browser.open(run_file)
    names = page.evaluate(
        "[...document.querySelectorAll('svg[role=img]')].map(e => ['title', 'desc']"
        ".map(name => e.querySelector(`:scope > ${name}`).textContent.length))"
    )
    assert names and all(length > 10 for pair in names for length in pair)
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size") == page.evaluate(
        "document.querySelectorAll('[id]').length"
    )


def test_a_hostile_test_runs_no_script(browser: Browser, tmp_path: Path) -> None:
    picture = Picture(HOSTILE, "<svg></svg>", ((HOSTILE, False),), (1,), (HOSTILE,), 0)
    state = State({HOSTILE: 1}, 1, True)
    result = Result(
        HOSTILE, HOSTILE, HOSTILE, HOSTILE, quantifier="exists", formula=HOSTILE, verdict="Ok", states=(state,),
        flags=(HOSTILE,), notes=(HOSTILE,), causes=(HOSTILE,), details=(HOSTILE,), source=HOSTILE, pictures=(picture,),
    )  # fmt: skip
    file = tmp_path / "hostile.html"
    file.write_text(run_page([result, Result(HOSTILE, HOSTILE, status="error", error=HOSTILE)]), encoding="utf-8")
    page = browser.open(file)
    clean(page, file)
    assert page.evaluate("document.querySelectorAll('img').length") == 0


def test_hostile_names_in_a_test_are_text_in_its_picture(browser: Browser, tmp_path: Path) -> None:
    name = '@"<img src=x onerror=window.hacked=1>"'
    text = f'; <script>window.hacked=1</script>\n{name} = global i32 0\ndefine void @"<b>"() {{\n'
    text += f"  store i32 1, ptr {name} ; <script>window.hacked=1</script>\n  ret void\n}}\n"
    file = tmp_path / "hostile.html"
    file.write_text(draw(load_text(text, "<i>.ll")).html(), encoding="utf-8")
    page = browser.open(file)
    clean(page, file)
    assert page.evaluate("document.querySelectorAll('img, b, i:not(.source i)').length") == 0
    assert "<img src=x" in page.evaluate("document.querySelector('svg').textContent")


def test_an_explanation_opens(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "why.html"
    found = explain(load(LITMUS / "message-passing/MP+rel+acq.ll"))
    file.write_text(explanation_page(found), encoding="utf-8")
    page = browser.open(file)
    clean(page, file)
    assert visible(page, "svg .ex-strong") > 0
    assert "Each of these alone lets it through" in page.evaluate("document.body.innerText")


def test_a_picture_alone_is_well_formed(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "one.svg"
    file.write_text(draw(load(LITMUS / "message-passing/MP+rlx+rlx.ll"), every=True).svg(), encoding="utf-8")
    page = browser.open(file)
    assert page.evaluate("document.documentElement.tagName") == "svg"
    assert page.evaluate("document.querySelectorAll('svg > svg').length") == 4


# Batches ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def batch_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    entries = [
        Entry(
            f"T{n}", f"folder{n % 3}/sub/T{n}.ll", ("llvm@generic", "amdgpu@generic")[n % 2],
            "different" if n == 7 else "as expected", "Sometimes+race" if n % 5 == 0 else "Never", "Never",
            n / 1000, ("race",) if n % 5 == 0 else (), more=("exists (x)",), history=("Always",) if n == 7 else (),
        )
        for n in range(10_000)
    ]  # fmt: skip
    entries.append(Entry(HOSTILE, HOSTILE, HOSTILE, "error", HOSTILE, HOSTILE, None, (HOSTILE,), more=(HOSTILE,)))
    file = tmp_path_factory.mktemp("batch") / "batch.html"
    file.write_text(batch_page(entries, HOSTILE), encoding="utf-8")
    return file


def choose(page: Page, name: str, value: str) -> None:
    page.evaluate(
        f"(() => {{ const e = document.getElementById({json.dumps(name)}); e.value = {json.dumps(value)};"
        "e.dispatchEvent(new Event('input')); })()"
    )


def test_a_batch_shows_what_differs_first(browser: Browser, batch_file: Path) -> None:
    page = browser.open(batch_file)
    clean(page, batch_file)
    assert page.evaluate("document.querySelectorAll('#results tbody tr').length") == 200  # of 10,001: as many as needed
    assert "folder1/sub/T7.ll" in page.evaluate("document.querySelector('#results tbody tr').textContent")
    page.evaluate("document.getElementById('more').click()")
    assert page.evaluate("document.querySelectorAll('#results tbody tr').length") == 400


def test_filters_filter(browser: Browser, batch_file: Path) -> None:
    page = browser.open(batch_file)
    count = "document.getElementById('count').textContent"
    for name, value, left in (
        ("text", "t99", 111),
        ("text", "", 10_001),
        ("flag", "race", 2_000),
        ("folder", "folder1", 666),
        ("model", "amdgpu@generic", 333),
        ("seconds", "9.9", 3),
        ("state", "different", 0),
    ):
        choose(page, name, value)
        assert page.evaluate(count) == f"{left} of 10001 results", (name, value)
    clean(page, batch_file)


def test_the_matrix_has_a_column_a_model(browser: Browser, batch_file: Path) -> None:
    page = browser.open(batch_file)
    choose(page, "view", "matrix")
    heads = page.evaluate("[...document.querySelectorAll('#results th')].map(e => e.textContent)")
    assert {"test", "llvm@generic", "amdgpu@generic"} <= set(heads)
    choose(page, "order", "seconds")
    choose(page, "view", "list")
    assert "T9999" in page.evaluate("document.querySelector('#results tbody tr').textContent")
    clean(page, batch_file)


def test_details_say_what_came_out_before(browser: Browser, batch_file: Path) -> None:
    page = browser.open(batch_file)
    page.evaluate("document.querySelector('#results tbody details').open = true")
    page.evaluate("new Promise(done => setTimeout(done, 100))")
    assert "before: Always" in page.evaluate("document.querySelector('#results tbody tr').textContent")


def test_a_batch_without_scripts_has_the_first_rows(browser: Browser, batch_file: Path) -> None:
    page = browser.open(batch_file, scripts=False)
    assert page.evaluate("document.querySelectorAll('#results tbody tr').length") == 300
    assert visible(page, "#filters") == 0


def test_runs_before_are_shown(browser: Browser, tmp_path: Path) -> None:
    """What a store knows of earlier runs: a table of them, and with each result what came out before."""
    entry = Entry(
        "MP", "a/mp.ll", "llvm", "different", "Always", "Never", history=("Never (run 1, 2026-01-01 00:00:00)",)
    )
    runs = [
        ("2", "2026-01-02 00:00:00", "0.1+b", "1", "1", "0", "0", "1"),
        ("1", "2026-01-01 00:00:00", HOSTILE, "1", "0", "0", "0", ""),
    ]
    file = tmp_path / "batch.html"
    file.write_text(batch_page([entry], "results.db", runs=runs), encoding="utf-8")
    page = browser.open(file)
    clean(page, file)
    assert visible(page, "#runs tbody tr") == 2
    page.evaluate("document.querySelector('#results details > summary').click()")
    assert "before: Never (run 1, " in str(page.evaluate("document.querySelector('#results tbody').textContent"))
    assert 'id="runs"' not in batch_page([entry], "results.db", runs=runs[:1])
