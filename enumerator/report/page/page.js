"use strict";
// Everything that matters is there without this: it only opens pictures from the table and shows which line a box is.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-opens]");
  if (!link) return;
  const details = document.getElementById(link.dataset.opens);
  if (details) details.open = true;
});
const lines = (box) => {
  const figure = box.closest("figure");
  return figure ? figure.querySelectorAll(`.source [data-line="${CSS.escape(box.dataset.line)}"]`) : [];
};
for (const [kind, on] of [["pointerover", true], ["pointerout", false]]) {
  document.addEventListener(kind, (event) => {
    const box = event.target.closest(".ex-box[data-line]");
    if (box) for (const line of lines(box)) line.classList.toggle("now", on);
  });
}
