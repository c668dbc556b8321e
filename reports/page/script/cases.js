// The cases of a report: filtered, and drawn as they come into view. Requirements and transcripts are drawn when they are unfolded.
import { byId, make, mark, sectionLink } from "./dom.js";
import { filtersOf, termsOf } from "./filters.js";
import { lazyList } from "./list.js";
import { unpack, withData } from "./unpack.js";
import { transcriptOf } from "./wire.js";

const PART = 25;

/** The anchor of a case, as links in the static part of the page have it. */
const anchorFor = ({ run, id }) => `case-${run + 1}-${id.replaceAll(/[^\w.-]+/g, "-")}`;

const code = (text) => make("code", "id", text);

/** A paragraph of small print: text and elements. */
function aside(...children) {
  const paragraph = make("p", "aside");
  paragraph.append(...children);
  return paragraph;
}

/** What was expected beside what was observed. */
function sides({ expected, observed, before }) {
  const list = make("dl", "sides");
  const side = (name, words) => {
    const group = make("div");
    group.append(make("dt", "", name), ...words);
    list.append(group);
  };
  side(
    "Expected",
    expected.map((words, at) => {
      const line = make("dd");
      if (at > 0) line.append(make("i", "", "or "));
      line.append(words);
      return line;
    }),
  );
  side("Observed", [make("dd", "", observed)]);
  if (before !== undefined) side("Before", [make("dd", "", before)]);
  return list;
}

/** The requirements of a section, each with links to its cases. */
function requirements(entries, casesOf) {
  return entries.map(([state, level, text, ids]) => {
    const item = make("li");
    item.append(mark(state), " ", make("span", "level", level), ` ${text}`);
    const links = ids.flatMap((id) => {
      const ran = casesOf.get(id);
      // A case that was not part of this run has no place to link to.
      if (ran === undefined) return [code(id), " "];
      return ran.flatMap((c) => {
        const link = make("a");
        link.href = `#${anchorFor(c)}`;
        const sign = mark(c.verdict);
        sign.querySelector(".word").className = "unseen";
        link.append(sign, " ", code(id));
        return [link, " "];
      });
    });
    if (links.length > 0) {
      const all = make("p", "cases");
      all.append(...links);
      item.append(all);
    }
    return item;
  });
}

async function casesPage() {
  const [{ cases, sections, names }, coverage] = await Promise.all([unpack("cases"), unpack("coverage")]);
  let packed;
  const transcripts = () => (packed ??= unpack("transcripts"));
  const form = byId("filters");
  const host = byId("list");
  const anchors = new Map(cases.map((c, at) => [anchorFor(c), at]));
  const texts = [];
  let [list, order] = [undefined, []];

  /** What the case shows, in lower case. */
  const textOf = (at) => {
    const c = cases[at];
    return (texts[at] ??= [
      c.verdict,
      c.title,
      c.level,
      c.id,
      names[c.run],
      c.note,
      c.reason,
      c.observed,
      c.before,
      ...c.expected,
      ...c.covers,
    ]
      .join("\n")
      .toLowerCase());
  };

  /** The transcript takes the place of the dots once all transcripts are unpacked. */
  async function fill(place, c) {
    const found = (await transcripts())[anchorFor(c)];
    place.replaceWith(
      found ? transcriptOf(found) : aside("The transcript is not included to keep this page small; the JSON result has it."),
    );
  }

  function unfold(details, c) {
    if (!details.open || details.childElementCount > 1) return;
    const inside = make("div", "inside");
    inside.append(make("p", "", c.reason), sides(c));
    if (c.cost) inside.append(aside(c.cost));
    if (c.covers.length > 0) inside.append(aside("Covers ", ...c.covers.flatMap((ref) => [code(ref), " "])));
    const place = c.wire ? make("div", "transcript", "…") : aside("Nothing crossed the wire.");
    inside.append(place);
    details.append(inside);
    if (c.wire) void fill(place, c);
  }

  function drawCase(c) {
    const details = make("details", "case");
    details.id = anchorFor(c);
    const summary = make("summary");
    const under = make("span", "under");
    under.append(make("span", "level", c.level), " ", code(c.id));
    if (names[c.run]) under.append(" ", make("span", "who", names[c.run]));
    if (c.note) under.append(" ", make("span", "tag", c.note));
    summary.append(mark(c.verdict), make("span", "title", c.title), under);
    details.append(summary);
    details.addEventListener("toggle", () => unfold(details, c));
    return details;
  }

  function draw(position) {
    const c = cases[order[position]];
    if (position > 0 && cases[order[position - 1]].section === c.section) return [drawCase(c)];
    const section = sections[c.section];
    const title = make("h3", "section-title");
    title.append(sectionLink(section, section.number), ` ${section.title} `, make("span", "who", section.doc));
    return [title, drawCase(c)];
  }

  function apply() {
    const wanted = filters.read();
    const terms = termsOf(wanted.q);
    order = [];
    for (const [at, c] of cases.entries())
      if (
        (wanted.verdicts.size === 0 || wanted.verdicts.has(c.verdict)) &&
        (!wanted.level || c.level.replace(" NOT", "") === wanted.level) &&
        (!wanted.section || sections[c.section].ref === wanted.section) &&
        (!wanted.suite || String(c.run) === wanted.suite) &&
        terms.every((term) => textOf(at).includes(term))
      )
        order.push(at);
    list?.end();
    list = lazyList(host, { count: order.length, size: PART, height: 58, draw });
    byId("none").hidden = order.length > 0;
    byId("shown").textContent = order.length === cases.length ? `All ${cases.length} cases.` : `${order.length} of ${cases.length} cases.`;
  }

  /** Shows and unfolds a case. */
  function reveal(at) {
    if (!order.includes(at)) {
      filters.clear();
      apply();
    }
    list.reach(order.indexOf(at));
    const details = byId(anchorFor(cases[at]));
    details.open = true;
    unfold(details, cases[at]);
    details.scrollIntoView();
    details.querySelector("summary").focus({ preventScroll: true });
  }

  function obey() {
    const hash = location.hash.slice(1);
    if (hash.includes("=")) {
      filters.adopt(new URLSearchParams(hash));
      apply();
      byId("cases").scrollIntoView();
    } else if (anchors.has(hash)) reveal(anchors.get(hash));
  }

  const filters = filtersOf(form, { changed: apply, home: "#cases" });
  byId("clear").addEventListener("click", () => {
    filters.clear();
    apply();
    filters.remember();
    form.elements.namedItem("q").focus();
  });
  const casesOf = Map.groupBy(cases, ({ id }) => id);
  for (const details of document.querySelectorAll("details[data-section]")) {
    const place = details.querySelector(".requirements");
    details.addEventListener("toggle", () => {
      if (place.childElementCount === 0) place.append(...requirements(coverage[details.dataset.section], casesOf));
    });
  }
  // The first search would have to make all texts at once: they are made while nothing else happens.
  let ready = 0;
  const prepare = (idle) => {
    while (ready < cases.length && idle.timeRemaining() > 1) textOf(ready++);
    if (ready < cases.length) requestIdleCallback(prepare);
  };
  requestIdleCallback(prepare);
  addEventListener("beforeprint", () => list.drawAll());
  addEventListener("hashchange", obey);
  form.hidden = false;
  apply();
  obey();
}

void withData(casesPage);
