/** The page of `touchstone diff`: messages by implementations, the largest disagreement first. */
import type { VNode } from "preact";
import type { Row } from "../../conformance/diff/row.ts";
import type { DiffResult } from "../../conformance/diff/result.ts";
import { html } from "./html.ts";

type Subjects = DiffResult["subjects"];

/** One letter for each reading of a message; the largest group is A. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** A dot where the message cannot be said. */
const letter = (at: number): string => (at < 0 ? "·" : (LETTERS[at] ?? "?"));
const groupOf = ({ groups }: Row, subject: number): number => groups.findIndex(({ members }) => members.includes(subject));

/** What the page is about, and what its letters say, for a comparison by name. */
const WORDS: Readonly<Record<string, { readonly about: string; readonly reading: string }>> = {
  http1: {
    about: "HTTP/1.1",
    reading: 'Each was followed by a plain request: "went on" says that this was answered as a request of its own.',
  },
  http: {
    about: "HTTP/1.1, HTTP/2 and HTTP/3",
    reading: "Each had a connection of its own. A dot says that this version has no words for the message.",
  },
};

export function DiffPage({ result: { protocol, subjects, rows, startedAt } }: { readonly result: DiffResult }): VNode {
  const differing = rows.filter(({ groups }) => groups.length > 1);
  const alike = rows.filter(({ groups }) => groups.length <= 1);
  const { about, reading } = WORDS[protocol] ?? { about: protocol, reading: "" };
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <div class="page wide">
      <header>
        <p class="brand">Touchstone · ${about} · ${startedAt.slice(0, 10)}</p>
        <h1>${subjects.length} implementations, one corpus</h1>
        <p class="lede">Of ${rows.length} messages they understand ${differing.length} differently.</p>
      </header>
      <main id="main">
        <section aria-label="Implementations">
          <h2>Implementations</h2>
          <ol class="subjects">
            ${subjects.map(({ name, target, echoes }) => html`<li><b>${name}</b> <code>${target}</code>${echoes ? " sends content back" : ""}</li>`)}
          </ol>
          <p class="aside">
            Each row is one message. Those with the same letter understood it in the same way; A is what most of them made of it. ${reading}
          </p>
        </section>
        <section aria-label="Where they differ">
          <h2>Where they differ <span class="who">${differing.length}</span></h2>
          <${Rows} rows=${differing} subjects=${subjects} name="Where they differ" />
        </section>
        <section aria-label="Where they agree">
          <details class="more">
            <summary>All agree (${alike.length})</summary>
            <${Rows} rows=${alike} subjects=${subjects} name="All agree" />
          </details>
        </section>
      </main>
    </div>
  `;
}

type RowsProps = { readonly rows: readonly Row[]; readonly subjects: Subjects; readonly name: string };

/** The ARIA roles keep it a table even if a narrow screen shows each row as a block. */
const Rows = ({ rows, subjects, name }: RowsProps): VNode => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${name}>
    <table class="matrix" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">Message</th>
          ${subjects.map((subject) => html`<th scope="col" role="columnheader"><b>${subject.name}</b></th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((row) => html`<${MessageRow} row=${row} subjects=${subjects} />`)}
      </tbody>
    </table>
  </div>
`;

function MessageRow({ row, subjects }: { readonly row: Row; readonly subjects: Subjects }): VNode {
  return html`
    <tr role="row">
      <th scope="row" role="rowheader">
        <details>
          <summary>${row.about}</summary>
          <p class="aside"><code class="id">${row.id}</code></p>
          <dl class="detail">
            ${row.groups.map(
              ({ words, members }, at) =>
                html`<div>
                  <dt>${letter(at)}: ${words}</dt>
                  <dd class="aside">${members.map((member) => subjects[member]?.name ?? "").join(", ")}</dd>
                </div>`,
            )}
          </dl>
        </details>
      </th>
      ${subjects.map((subject, at) => html`<td role="cell" data-name=${subject.name} class=${`group group-${Math.max(0, Math.min(groupOf(row, at), 5))}`}>${letter(groupOf(row, at))}</td>`)}
    </tr>
  `;
}
