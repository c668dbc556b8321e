// Transcripts, drawn when their case is unfolded.
import { make } from "./dom.js";

const WAYS = { "->": ["→", "sent"], "<-": ["←", "received"], "--": ["·", "note"] };

/** Sixteen octets a row: offset, octets, and the characters of those that are printable ASCII. */
function dump(hex) {
  const octets = hex.match(/../g) ?? [];
  const rows = [];
  for (let from = 0; from < octets.length; from += 16) {
    const row = octets.slice(from, from + 16);
    const chars = row.map((octet) => {
      const code = Number.parseInt(octet, 16);
      return code > 0x1f && code < 0x7f ? String.fromCharCode(code) : ".";
    });
    rows.push(`${from.toString(16).padStart(4, "0")}  ${row.join(" ").padEnd(47)}  ${chars.join("")}`);
  }
  return rows.join("\n");
}

function hexOf(hex, octets) {
  const shown = hex.length / 2;
  const details = make("details", "hex");
  details.append(make("summary", "", `${octets} ${octets === 1 ? "octet" : "octets"}`));
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    const block = make("pre", "", dump(hex));
    block.tabIndex = 0;
    details.append(block);
    if (shown < octets) details.append(make("p", "aside", `The first ${shown} of ${octets} octets.`));
  });
  return details;
}

function wire(lines, name) {
  const list = make("ol", "wire");
  list.setAttribute("aria-label", name);
  for (const [at, way, means, hex, octets] of lines) {
    const [arrow, words] = WAYS[way] ?? WAYS["--"];
    const item = make("li", words);
    const direction = make("span", "way");
    const sign = make("span", "", arrow);
    sign.setAttribute("aria-hidden", "true");
    direction.append(sign, make("span", "unseen", words));
    item.append(make("span", "at", Number(at).toFixed(1)), direction, make("span", "means", means));
    if (hex) item.append(hexOf(hex, octets));
    list.append(item);
  }
  return list;
}

/** A transcript, and that of its control, as elements. */
export function transcriptOf({ lines, control }) {
  const title = make("h4", "", "Transcript");
  title.append(make("span", "aside", "  ms, → sent to the subject, ← received from it"));
  const place = make("div", "transcript");
  place.append(title, wire(lines, "Transcript"));
  if (control) {
    const more = make("details", "more");
    more.append(make("summary", "", "The control: the same steps without the mistake"), wire(control, "Transcript of the control"));
    place.append(more);
  }
  return place;
}
