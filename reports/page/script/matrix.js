// The comparison: cases by implementations, filtered and drawn as they come into view.
import { byId, make, mark, part, sectionLink } from "./dom.js";
import { filtersOf, options, termsOf } from "./filters.js";
import { lazyList } from "./list.js";
import { unpack, withData } from "./unpack.js";

/** The verdicts by the letter that stands for them in the data, worst first. A case that was not run is `-`. */
const LETTERS = { f: "fail", e: "error", u: "unproved", w: "warn", p: "pass", s: "skip" };
const PART = 12;

/** One matrix of the page, with what filters ask of its rows. */
async function load(at, frame) {
  const { suite, columns, ids, titles, levels, sections, section } = frame;
  const cells = await Promise.all(columns.map((_, column) => unpack(`cells-${at}-${column}`)));
  const verdicts = ids.map((_, row) => cells.map((one) => one.verdicts[row]));
  const ran = verdicts.map((row) => row.filter((letter) => letter !== "-"));
  const texts = new Map();
  return {
    suite,
    columns,
    count: ids.length,
    sections,
    differs: ran.map((row) => row.some((letter) => letter !== row[0])),
    verdicts,
    row: (row) => ({ id: ids[row], title: titles[row], level: levels[row], section: sections[section[row]], at: section[row] }),
    rowOf: (id) => ids.indexOf(id),
    cell: (row, column) => {
      const one = cells[column];
      return { verdict: LETTERS[one.verdicts[row]], reason: one.reasons[row], observed: one.observed[row] };
    },
    /** In lower case; of one column, or of all. */
    text: (row, column) => {
      const key = column === undefined ? row : `${row} ${column}`;
      let text = texts.get(key);
      if (text === undefined) {
        const { name, title } = sections[section[row]];
        const told = (column === undefined ? cells : [cells[column]]).flatMap((one) => [one.reasons[row], one.observed[row]]);
        text = [ids[row], titles[row], levels[row], name, title, ...told].join("\n").toLowerCase();
        texts.set(key, text);
      }
      return text;
    },
  };
}

/** The rows that a filter leaves. */
function fitting(matrix, wanted) {
  const column = wanted.who === "" ? undefined : Number(wanted.who);
  const terms = termsOf(wanted.q);
  const letters = new Set(Object.keys(LETTERS).filter((letter) => wanted.verdicts.has(LETTERS[letter])));
  const rows = [];
  for (let row = 0; row < matrix.count; row++) {
    const { level, at } = matrix.row(row);
    const seen = column === undefined ? matrix.verdicts[row] : [matrix.verdicts[row][column]];
    if (
      (wanted.show === "all" || matrix.differs[row] === (wanted.show === "differ")) &&
      (column === undefined || seen[0] !== "-") &&
      (letters.size === 0 || seen.some((letter) => letters.has(letter))) &&
      (!wanted.level || level.replace(" NOT", "") === wanted.level) &&
      (!wanted.section || at === Number(wanted.section)) &&
      terms.every((term) => matrix.text(row, column).includes(term))
    )
      rows.push(row);
  }
  return rows;
}

/** The cells of a row whose verdict, observation and reason are the same, worst first. */
function alike(matrix, row) {
  const groups = new Map();
  for (const [column, name] of matrix.columns.entries()) {
    const cell = matrix.cell(row, column);
    if (cell.verdict === undefined) continue;
    const key = JSON.stringify([cell.verdict, cell.observed, cell.reason]);
    const group = groups.get(key) ?? { ...cell, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  const order = Object.values(LETTERS);
  return [...groups.values()].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

function detail(matrix, row) {
  const { id, level, section } = matrix.row(row);
  const head = make("p", "aside");
  const link = make("a", "", "link to this case");
  link.href = `#${new URLSearchParams({ ...(matrix.at > 0 ? { suite: matrix.at } : {}), case: id })}`;
  head.append(make("span", "level", level), " ", sectionLink(section), " ", make("code", "id", id), " ", link);
  const list = make("dl", "detail");
  for (const { verdict, observed, reason, names } of alike(matrix, row)) {
    const group = make("div");
    const term = make("dt");
    term.append(mark(verdict), " ", names.join(", "));
    group.append(term);
    if (observed) group.append(make("dd", "", observed));
    group.append(make("dd", "aside", reason));
    list.append(group);
  }
  return [head, list];
}

/** On a narrow screen: one line for each verdict, with the names. */
function lines(matrix, row) {
  const list = make("ul", "verdicts");
  for (const [letter, verdict] of Object.entries(LETTERS)) {
    const names = matrix.columns.filter((_, column) => matrix.verdicts[row][column] === letter);
    if (names.length === 0) continue;
    const item = make("li");
    item.append(mark(verdict), " ", names.length === matrix.columns.length && names.length > 1 ? "all" : names.join(", "));
    list.append(item);
  }
  return list;
}

async function comparePage() {
  const frames = await unpack("frames");
  const matrices = await Promise.all(frames.map(async (frame, at) => ({ ...(await load(at, frame)), at })));
  const form = byId("filters");
  const [head, body, table] = [byId("head"), byId("rows"), byId("matrix")];
  const narrow = matchMedia("(max-width: 46rem)");
  let [matrix, list, order] = [undefined, undefined, []];

  function measure() {
    table.style.setProperty("--view", `${body.clientWidth}px`);
    // A narrow screen has no head.
    document.documentElement.style.scrollPaddingTop = narrow.matches ? "" : `${head.offsetHeight + 8}px`;
  }

  function choose(at) {
    if (matrix === matrices[at]) return;
    matrix = matrices[at];
    table.setAttribute("aria-label", matrix.suite);
    table.style.setProperty("--columns", matrix.columns.length);
    head.replaceChildren(
      part("columnheader", "", ["Case"]),
      ...matrix.columns.map((name) => part("columnheader", "", [make("b", "", name)])),
    );
    const differing = matrix.differs.filter(Boolean).length;
    const show = form.elements.namedItem("show");
    show.dataset.standard = differing > 0 ? "differ" : "all";
    options(show, [
      ["differ", `where they differ (${differing})`],
      ["agree", `where they agree (${matrix.count - differing})`],
      ["all", `all (${matrix.count})`],
    ]);
    options(form.elements.namedItem("who"), [["", "any"], ...matrix.columns.map((name, column) => [String(column), name])]);
    const documents = Map.groupBy(
      matrix.sections.map((section, index) => ({ ...section, index })),
      ({ doc }) => doc,
    );
    options(form.elements.namedItem("section"), [
      ["", "any"],
      ...[...documents].map(([doc, those]) => [doc, those.map(({ number, title, index }) => [String(index), `${number} ${title}`])]),
    ]);
    for (const box of form.querySelectorAll("input[name=verdict]")) {
      const letter = Object.keys(LETTERS).find((one) => LETTERS[one] === box.value);
      const rows = matrix.verdicts.filter((row) => row.includes(letter)).length;
      box.closest("label").hidden = rows === 0;
      box.closest("label").querySelector("b").textContent = String(rows);
    }
  }

  /** A row and, while it is unfolded, what was observed. */
  function drawRow(row, position) {
    const { title } = matrix.row(row);
    const button = make("button", "unfold", title);
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    const what = part("rowheader", "what", [button]);
    const cells = narrow.matches
      ? [part("cell", "all", [lines(matrix, row)])]
      : matrix.columns.map((_, column) => {
          const verdict = LETTERS[matrix.verdicts[row][column]];
          return part("cell", "", [verdict === undefined ? make("span", "absent", "not run") : mark(verdict)]);
        });
    const line = part("row", "row", [what, ...cells]);
    line.setAttribute("aria-rowindex", String(position + 2));
    line.dataset.row = String(row);
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) line.nextElementSibling.remove();
      else {
        const whole = part("cell", "inside", detail(matrix, row));
        whole.setAttribute("aria-colspan", String(matrix.columns.length + 1));
        line.after(part("row", "opened", [whole]));
      }
    });
    return line;
  }

  function draw(position) {
    const row = order[position];
    const { at, section } = matrix.row(row);
    const line = drawRow(row, position);
    if (position > 0 && matrix.row(order[position - 1]).at === at) return [line];
    const title = part("rowheader", "group", [
      sectionLink(section, section.number),
      ` ${section.title} `,
      make("span", "who", section.doc),
    ]);
    title.setAttribute("aria-colspan", String(matrix.columns.length + 1));
    return [part("row", "section", [title]), line];
  }

  function apply() {
    const wanted = filters.read();
    choose(Number(wanted.suite ?? 0));
    order = fitting(matrix, filters.read());
    list?.end();
    table.setAttribute("aria-rowcount", String(order.length + 1));
    list = lazyList(body, { count: order.length, size: PART, height: narrow.matches ? 130 : 52, draw });
    byId("none").hidden = order.length > 0;
    byId("shown").textContent = order.length === matrix.count ? `All ${matrix.count} cases.` : `${order.length} of ${matrix.count} cases.`;
  }

  /** Shows and unfolds the case that the address names. */
  function reveal(id) {
    const row = matrix.rowOf(id);
    const at = order.indexOf(row);
    if (at < 0) return;
    list.reach(at);
    measure();
    const button = body.querySelector(`[data-row="${row}"] .unfold`);
    if (button.getAttribute("aria-expanded") === "false") button.click();
    button.scrollIntoView();
    button.focus({ preventScroll: true });
  }

  function obey() {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!location.hash.includes("=")) return;
    // The suite comes first: it decides what the other fields offer.
    choose(
      Math.max(
        matrices.findIndex((_, at) => String(at) === state.get("suite")),
        0,
      ),
    );
    filters.adopt(state);
    if (state.has("case")) form.elements.namedItem("show").value = "all";
    apply();
    if (state.has("case")) reveal(state.get("case"));
    else form.scrollIntoView();
  }

  const filters = filtersOf(form, { changed: apply, home: "#cases" });
  byId("clear").addEventListener("click", () => {
    filters.clear();
    form.elements.namedItem("show").value = "all";
    apply();
    filters.remember();
    form.elements.namedItem("q").focus();
  });
  // The columns' names stay above the rows that scroll sideways below them.
  body.addEventListener("scroll", () => (head.scrollLeft = body.scrollLeft), { passive: true });
  new ResizeObserver(measure).observe(body);
  narrow.addEventListener("change", apply);
  addEventListener("beforeprint", () => list.drawAll());
  addEventListener("hashchange", obey);
  choose(0);
  form.hidden = false;
  table.hidden = false;
  if (location.hash.includes("=")) obey();
  else apply();
}

void withData(comparePage);
