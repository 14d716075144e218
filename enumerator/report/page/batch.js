"use strict";
// The table of a batch: filters, order, and rows as they are needed. Text from tests is only ever set as text.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const body = document.querySelector("#results tbody");
  const head = document.querySelector("#results thead");
  const more = document.getElementById("more");
  const count = document.getElementById("count");
  const field = (name) => document.getElementById(name);
  const STEP = 200;
  const states = ["different", "error", "unknown", "no expectation", "as expected"];
  const marks = { different: "bad", error: "bad", unknown: "unsure", "as expected": "good", "no expectation": "plain" };
  const icons = { different: "✗", error: "!", unknown: "?", "as expected": "✓", "no expectation": "·" };
  const rows = data.results.map((row) => ({
    test: row[0], path: row[1], how: row[2], state: states[row[3]], found: row[4], wanted: row[5], seconds: row[6],
    flags: row[7], page: row[8], more: row[9], history: row[10],
  }));
  const element = (name, text, classes) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  };
  const folder = (path) => path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  let chosen = [], shown = 0;

  function detail(row) {
    const inner = element("div", undefined, "result-body");
    for (const line of row.more) inner.append(element("pre", line, "lines"));
    if (row.history.length) inner.append(element("p", `before: ${row.history.join(", ")}`, "muted"));
    return inner;
  }

  function name(row) {
    const cell = element("td");
    if (row.page) {
      const link = element("a", row.path);
      link.href = row.page;
      cell.append(link);
    } else if (row.more.length || row.history.length) {
      const details = element("details"), summary = element("summary", row.path);
      details.append(summary);
      details.addEventListener("toggle", () => {
        if (details.open && details.childElementCount === 1) details.append(detail(row));
      });
      cell.append(details);
    } else cell.textContent = row.path;
    return cell;
  }

  function badge(row, text) {
    const cell = element("td", undefined, "cell");
    cell.append(element("span", `${icons[row.state]} ${text}`, marks[row.state]));
    return cell;
  }

  function list(row) {
    const made = element("tr");
    made.append(name(row), element("td", row.how), badge(row, row.state), element("td", row.wanted),
      element("td", row.found), element("td", row.seconds === null ? "" : row.seconds.toFixed(3), "number"));
    return made;
  }

  function matrix(group) {
    const made = element("tr");
    made.append(name(group.rows[0]));
    for (const how of data.models) {
      const row = group.rows.find((each) => each.how === how);
      if (row) {
        const cell = badge(row, row.found);
        cell.title = `${row.state}; expected ${row.wanted || "nothing"}`;
        made.append(cell);
      } else made.append(element("td", "", "plain"));
    }
    return made;
  }

  function append() {
    const part = document.createDocumentFragment();
    const draw = field("view").value === "matrix" ? matrix : list;
    for (const row of chosen.slice(shown, shown + STEP)) part.append(draw(row));
    body.append(part);
    shown = Math.min(chosen.length, shown + STEP);
    more.hidden = shown >= chosen.length;
    more.textContent = `Show more (${chosen.length - shown} left)`;
  }

  function update() {
    const text = field("text").value.toLowerCase(), how = field("model").value, where = field("folder").value;
    const flag = field("flag").value, state = field("state").value, least = parseFloat(field("seconds").value) || 0;
    const matching = rows.filter((row) =>
      (!text || row.path.toLowerCase().includes(text) || row.test.toLowerCase().includes(text)) &&
      (!how || row.how === how) && (!where || folder(row.path) === where || row.path.startsWith(`${where}/`)) &&
      (!flag || row.flags.includes(flag)) && (!state || row.state === state) && (row.seconds || 0) >= least);
    const rank = (row) => states.indexOf(row.state);
    const orders = {
      state: (a, b) => rank(a) - rank(b),
      path: (a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0,
      seconds: (a, b) => (b.seconds || 0) - (a.seconds || 0),
    };
    matching.sort(orders[field("order").value]);
    if (field("view").value === "matrix") {
      const groups = new Map();
      for (const row of matching) {
        if (!groups.has(row.path)) groups.set(row.path, { rows: [] });
        groups.get(row.path).rows.push(row);
      }
      chosen = [...groups.values()];
    } else chosen = matching;
    const titles = field("view").value === "matrix" ? ["test", ...data.models]
      : ["test", "under", "result", "expected", "found", "seconds"];
    const line = element("tr");
    for (const title of titles) {
      const cell = element("th", title, title === "seconds" ? "number" : "");
      cell.scope = "col";
      line.append(cell);
    }
    head.replaceChildren(line);
    body.replaceChildren();
    shown = 0;
    append();
    count.textContent = `${matching.length} of ${rows.length} results`;
  }

  for (const id of ["text", "model", "folder", "flag", "state", "seconds", "view", "order"]) {
    field(id).addEventListener("input", update);
  }
  more.addEventListener("click", append);
  document.getElementById("filters").hidden = false;
  update();
})();
