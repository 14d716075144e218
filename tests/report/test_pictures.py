"""Pictures of executions: what is in them, and that nothing covers anything else."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import pytest

from enumerator.analysis.witnesses import consistent_endings
from enumerator.api import check, load
from enumerator.drawing import draw, pictures_of
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.report.picture.contents import scene_of
from enumerator.report.picture.layout import Layout, arrange
from enumerator.report.picture.scene import Link, Scene
from enumerator.report.picture.style import PALETTE, STROKES

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests"
Rect = tuple[float, float, float, float]

DRAWN = [
    "message-passing/MP+rel+acq.ll",
    "iriw/IRIW+fences.ll",
    "amdgpu/availability/avail-relay-fence.ll",
    "amdgpu/barriers/barrier-three-waves.ll",
    "amdgpu/barriers/barrier-split.ll",
    "amdgpu/barrier-then-release/grid-lds-barrier.ll",
    "algorithms/kernel-work-stealing+wg.ll",
    "release-sequences",
    "rmw",
    "mmra",
]


def scenes() -> list[Scene]:
    found = []
    for name in DRAWN:
        path = LITMUS / name
        for file in sorted(path.glob("*.ll"))[:4] if path.is_dir() else [path]:
            result = check(load(file), "amdgpu" if "amdgpu" in str(file) else None, timeout=20)
            assert result.question is not None
            endings = list(consistent_endings(result.question.request, most=40)[0])
            found += [scene_of(ending.classification) for ending in (*endings[:1], *endings[-1:])]
    for name in ("message-passing/MP+rel+acq.ll", "iriw/IRIW+sc.ll", "wrc-isa2/ISA2+rel+acq.ll"):
        test = load(LITMUS / name)
        found += draw(test, outcome=test.condition.text, every=True).scenes[:6]  # forbidden, with cycles
    assert any(scene.reasons for scene in found)
    return found


@pytest.fixture(scope="module")
def layouts() -> list[Layout]:
    return [arrange(scene, 60) for scene in scenes()]


def overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def boxes_of(layout: Layout) -> list[Rect]:
    return [(p.x, p.y, p.x + p.width, p.y + p.height) for p in layout.boxes.values()]


def labels_of(layout: Layout) -> list[Rect]:
    return [
        (r.label[0] - r.width / 2, r.label[1] - 7.5, r.label[0] + r.width / 2, r.label[1] + 7.5) for r in layout.routes
    ]


def upright_labels_of(layout: Layout) -> list[Rect]:
    """Give the labels beside program order, as svg.py places them."""
    names = {(a.box.name, b.box.name): (a, b) for a, b in layout.order}
    found = []
    for link in layout.scene.links:
        if link.relation in ("removed", "po", "po-hb", "ppo") and (link.source, link.target) in names:
            a, _ = names[link.source, link.target]
            y = a.y + a.height + 15
            found.append((a.middle + 8, y - 9, a.middle + 8 + 6.7 * len(link.label), y + 3))
    return found


def pieces_of(layout: Layout) -> list[tuple[int, Rect]]:
    found = []
    for number, route in enumerate(layout.routes):
        for (x0, y0), (x1, y1) in zip(route.points, route.points[1:], strict=False):
            found.append((number, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))))
    return found


def test_boxes_and_labels_do_not_overlap(layouts: list[Layout]) -> None:
    assert sum(len(layout.routes) for layout in layouts) > 100
    for layout in layouts:
        every = boxes_of(layout) + labels_of(layout) + upright_labels_of(layout)
        assert not any(overlap(a, b) for a, b in combinations(every, 2)), layout.scene.title


def test_lines_cross_no_label_and_no_box(layouts: list[Layout]) -> None:
    for layout in layouts:
        for number, (x0, y0, x1, y1) in pieces_of(layout):
            wide = (x0 - 0.1, y0 - 0.1, x1 + 0.1, y1 + 0.1)
            others = [label for other, label in enumerate(labels_of(layout)) if other != number]
            assert not any(overlap(wide, label) for label in others), layout.scene.title
            if y0 == y1:
                assert not any(overlap(wide, label) for label in upright_labels_of(layout)), layout.scene.title
            inside = (x0 + 1, y0 - 0.1, x1 - 1, y1 + 0.1) if y0 == y1 else (x0 - 0.1, y0 + 1, x1 + 0.1, y1 - 1)
            assert not any(overlap(inside, box) for box in boxes_of(layout)), layout.scene.title


def test_no_two_lines_lie_on_one_another(layouts: list[Layout]) -> None:
    for layout in layouts:
        for (one, a), (other, b) in combinations(pieces_of(layout), 2):
            if one == other:
                continue
            level = a[1] == a[3] == b[1] == b[3] and min(a[2], b[2]) - max(a[0], b[0]) > 3
            upright = a[0] == a[2] == b[0] == b[2] and min(a[3], b[3]) - max(a[1], b[1]) > 3
            assert not level and not upright, layout.scene.title


def test_program_order_goes_down_and_columns_to_the_right(layouts: list[Layout]) -> None:
    for layout in layouts:
        assert all(a.y + a.height < b.y for a, b in layout.order)
        assert all(box.x >= 0 and box.x + box.width <= layout.width for box in layout.boxes.values())
        for placed in layout.boxes.values():
            assert (placed.box.column is None) == (placed.row < 0)


def test_threads_of_a_scope_instance_stand_in_its_frame(layouts: list[Layout]) -> None:
    seen = 0
    for layout in layouts:
        for frame, (x, y, width, height) in zip(layout.scene.frames, layout.frames, strict=True):
            for placed in layout.boxes.values():
                if placed.box.column is not None and frame.first <= placed.box.column <= frame.last:
                    assert x < placed.x and placed.x + placed.width < x + width
                    assert y < placed.y and placed.y + placed.height < y + height
                    seen += 1
    assert seen > 20


# What is in a picture -----------------------------------------------------------------------------------------


def links(name: str, **asked: object) -> list[Link]:
    return list(draw(load(LITMUS / name), **asked).scenes[0].links)  # type: ignore[arg-type]


def kinds(found: list[Link]) -> set[str]:
    return {link.relation for link in found}


def test_a_stale_read() -> None:
    scene = draw(load(LITMUS / "message-passing/MP+rlx+rlx.ll")).scenes[0]
    assert [(box.title, box.access, box.line) for box in scene.boxes] == [
        ("", "@data = 0", None),
        ("", "@flag = 0", None),
        ("store monotonic", "@data = 1", 13),
        ("store monotonic", "@flag = 1", 14),
        ("load monotonic", "@flag = 1", 19),
        ("load monotonic", "@data = 0", 20),
    ]
    assert scene.boxes[2].source == "store atomic i32 1, ptr @data monotonic"
    assert {(link.source, link.target, link.relation) for link in scene.links} == {
        ("e0", "e5", "rf"),
        ("e3", "e4", "rf"),
        ("e5", "e2", "fr"),
    }


def test_a_forbidden_outcome_has_its_cycle_in_bold() -> None:
    scene = draw(load(LITMUS / "store-buffering/SB+sc+sc.ll")).scenes[0]
    assert scene.reasons[0].startswith("forbidden by seq-cst (acyclic, happens-before.cat:")
    strong = [(link.source, link.target) for link in scene.links if link.strong]
    ends = dict(strong)
    at = strong[0][0]
    for _ in strong:
        at = ends[at]
    assert len(ends) == 4 and at == strong[0][0]


def test_availability_and_visibility_are_chains() -> None:
    found = links("amdgpu/barriers/barrier-three-waves.ll", model="amdgpu")
    assert {"avail", "vis", "bar", "sw", "rf"} <= kinds(found)


def test_tags_that_remove_program_order_are_named() -> None:
    found = links("amdgpu/barrier-then-release/grid-lds-barrier.ll", model="amdgpu")
    removed = [link for link in found if link.relation == "removed"]
    assert [link.style for link in removed] == ["removed"] and "amdgpu-" in removed[0].label


def test_races_and_undef_reads_are_marked() -> None:
    scene = draw(load(LITMUS / "amdgpu/availability/avail-scope-gap.ll"), "amdgpu").scenes[0]
    badges = {box.access: box.badges for box in scene.boxes if box.badges}
    assert badges == {"@data = 1": ("race",), "@data = undef": ("undef", "race")}


def test_a_read_modify_write_is_one_box() -> None:
    text = "@x = global i32 0\ndefine void @t() {\n  %a = atomicrmw add ptr @x, i32 2 acq_rel\n  ret void\n}"
    scene = draw(load_text(text, "t.ll")).scenes[0]
    assert [(box.title, box.access) for box in scene.boxes[1:]] == [("rmw acq_rel", "@x: 0 → 2")]


def test_other_relations_on_request() -> None:
    plain = links("message-passing/MP+rel+acq.ll", outcome="t1:flag = 1")
    more = links("message-passing/MP+rel+acq.ll", outcome="t1:flag = 1", show=("lo",))
    assert kinds(more) - kinds(plain) == {"lo"}
    with pytest.raises(InputError, match="there is no relation 'nosuch' in the model llvm"):
        links("message-passing/MP+rel+acq.ll", outcome="t1:flag = 1", show=("lo", "nosuch"))


def test_every_execution() -> None:
    drawing = draw(load(LITMUS / "message-passing/MP+rlx+rlx.ll"), every=True)
    assert len(drawing.scenes) == 4
    assert drawing.dot().count("digraph") == 4


def test_each_state_has_a_picture_of_an_execution_that_ends_so() -> None:
    result = check(load(LITMUS / "message-passing/MP+rlx+rlx.ll"), all_values=True)
    found = pictures_of(result)
    assert sorted(picture.state for picture in found if picture.state is not None) == list(range(len(result.states)))


def test_a_flag_has_a_picture() -> None:
    result = check(load(LITMUS / "message-passing/MP+rel+rlx.ll"))
    assert "race" in result.flags
    assert any("race" in picture.told[0] or ">race<" in picture.svg for picture in pictures_of(result))


# How it is written --------------------------------------------------------------------------------------------


def test_svg_is_xml_whatever_names_hold() -> None:
    text = '@"a<b>&\\22\\07" = global i32 0\ndefine void @"]]>"() {\n  store i32 1, ptr @"a<b>&\\22\\07"\n  ret void\n}'
    root = ElementTree.fromstring(draw(load_text(text, "t.ll")).svg())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    told = "".join(root.itertext())
    assert "a<b>&" in told and "\x07" not in told


def test_svg_describes_itself_in_words() -> None:
    root = ElementTree.fromstring(draw(load(LITMUS / "message-passing/MP+rlx+rlx.ll")).svg())
    told = root.find("{http://www.w3.org/2000/svg}desc")
    assert told is not None and told.text is not None and "t1 loads 0 from @data" in told.text


def test_strokes_differ_without_colour() -> None:
    looks = {(s.dash, s.head, s.double, round(s.width)) for name, s in STROKES.items() if name != "axiom"}
    assert len(looks) == len(STROKES) - 1


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [0, 1])
def test_contrast(dark: int) -> None:
    """WCAG 2.1: 4.5 to 1 for text (1.4.3), 3 to 1 for what has a meaning (1.4.11)."""
    grounds = [PALETTE[name][dark] for name in ("ground", "lane", "box", "warn")]
    for name in ("ink", "muted", *STROKES):
        for ground in grounds if name in ("ink", "muted", "race") else grounds[:3]:
            assert contrast(PALETTE[name][dark], ground) >= 4.5, (name, ground)
    assert all(contrast(PALETTE["edge"][dark], ground) >= 3 for ground in grounds)


def test_an_access_with_parts_is_one_box() -> None:
    text = """@x = global i32 0
define void @t0() {
  store i16 1, ptr @x
  %a = load i32, ptr @x
  ret void
}
"""
    scene = draw(load_text(text, "t.ll")).scenes[0]
    assert [box.access for box in scene.boxes if box.column is not None] == [
        "@x[0..2) = 1",
        "@x[0..2) = 1; @x[2..4) = 0",
    ]
    assert "t0 loads 1 from @x[0..2) and 0 from @x[2..4)" in "".join(scene.told)


def test_texts_fit_into_their_boxes(layouts: list[Layout]) -> None:
    for layout in layouts:
        for placed in layout.boxes.values():
            box = placed.box
            badges = sum(6.5 * len(badge) + 8 for badge in box.badges)
            assert 10 + 7.3 * (len(box.title) + 1 + len(box.access)) + badges <= placed.width
            assert 10 + 6.4 * (len(box.place) + 2 + len(box.source)) * (box.column is not None) <= placed.width
