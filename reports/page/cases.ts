import type { VNode } from "preact";
import type { CaseResult, Result } from "../../conformance/harness/result.ts";
import { titlesOf } from "../coverage.ts";
import {
  address,
  baselineWords,
  bySection,
  compareRefs,
  costWords,
  differenceOf,
  docName,
  grouped,
  labels,
  levelClass,
  prose,
  sectionLink,
  sectionOf,
  sumOf,
  VERDICTS,
} from "../order.ts";
import { html } from "./html.ts";
import { Mark } from "./marks.ts";
import { Sides } from "./troubles.ts";
import { anchorOf, type Transcripts } from "./wire.ts";

type Placed = { readonly c: CaseResult; readonly spec: string; readonly id: string; readonly run: number };
type Shared = { readonly transcripts: Transcripts; readonly names: readonly string[] };

/** Every case by section. The script of the page inserts a transcript when its case is opened. */
export function Cases({ results, transcripts }: { readonly results: readonly Result[]; readonly transcripts: Transcripts }): VNode {
  const placed = bySection(results.flatMap((result, run) => result.cases.map((c): Placed => ({ c, spec: c.spec, id: c.id, run }))));
  const titles = titlesOf(results);
  const shared = { transcripts, names: labels(results) };
  return html`
    <section id="cases" aria-labelledby="cases-title">
      <h2 id="cases-title">All cases</h2>
      <noscript
        ><p class="aside">
          Filters and transcripts need JavaScript. Without it this page still has all verdicts and reasons, and the JSON result has the
          transcripts.
        </p></noscript
      >
      <${Filters} results=${results} specs=${[...new Set(placed.map(({ spec }) => sectionOf(spec)))]} titles=${titles} />
      ${[...grouped(placed, ({ spec }) => sectionOf(spec))].map(
        ([ref, inSection]) => html`
          <section class="group" aria-label=${`${docName(address(ref).doc)} section ${address(ref).section}`}>
            <${GroupTitle} spec=${ref} title=${titles[ref]} />
            ${inSection.map((one) => html`<${Case} placed=${one} shared=${shared} />`)}
          </section>
        `,
      )}
      <p id="none" hidden>No case matches. <button type="button" id="clear">Show all cases</button></p>
    </section>
  `;
}

function GroupTitle({ spec, title }: { readonly spec: string; readonly title: string | undefined }): VNode {
  const { doc, section } = address(spec);
  const link = sectionLink(spec);
  const number = `§${section}`;
  return html`<h3>
    ${link === undefined ? number : html`<a href=${link} rel="noreferrer">${number}</a>`} ${title ?? ""}${" "}
    <span class="who">${docName(doc)}</span>
  </h3>`;
}

function Case({ placed: { c, run }, shared }: { readonly placed: Placed; readonly shared: Shared }): VNode {
  const anchor = anchorOf(run, c);
  const note = baselineWords(c);
  return html`
    <details
      class="case"
      id=${anchor}
      data-verdict=${c.verdict}
      data-level=${levelClass(c.level)}
      data-section=${sectionOf(c.spec)}
      data-suite=${String(run)}
    >
      <summary>
        <${Mark} of=${c.verdict} />
        <span class="title">${c.title}</span>
        <span class="under"
          ><span class="level">${c.level}</span> <code class="id">${c.id}</code>${
            shared.names[run] ? html` <span class="who">${shared.names[run]}</span>` : ""
          }${note === undefined ? "" : html` <span class="tag">${note}</span>`}</span
        >
      </summary>
      <div class="inside">
        <p>${prose(differenceOf(c))}</p>
        <${Sides} c=${c} />
        ${c.cost === undefined ? "" : html`<p class="aside">${costWords(c.cost)}</p>`}
        ${c.covers.length === 0 ? "" : html`<p class="aside">Covers ${c.covers.map((ref) => html`<code class="id">${ref}</code> `)}</p>`}
        ${
          shared.transcripts[anchor] === undefined
            ? html`<p class="aside">
                ${c.transcript.length === 0 ? "Nothing crossed the wire." : "The transcript is not included to keep this page small; the JSON result has it."}
              </p>`
            : html`<div class="transcript"></div>`
        }
      </div>
    </details>
  `;
}

type FilterProps = {
  readonly results: readonly Result[];
  readonly specs: readonly string[];
  readonly titles: Readonly<Record<string, string>>;
};

/** Shown by the script of the page, because filters do nothing without it. */
function Filters({ results, specs, titles }: FilterProps): VNode {
  const sum = sumOf(results);
  const levels = ["MUST", "SHOULD", "MAY"].filter((level) =>
    results.some((result) => result.cases.some((c) => levelClass(c.level) === level)),
  );
  const documents = grouped([...specs].sort(compareRefs), (spec) => address(spec).doc);
  return html`
    <form id="filters" role="search" aria-label="Filter the cases" hidden>
      <fieldset>
        <legend class="unseen">Verdict</legend>
        ${VERDICTS.filter((verdict) => sum[verdict] > 0).map(
          (verdict) =>
            html`<label class=${`chip is-${verdict}`}
              ><input type="checkbox" name="verdict" value=${verdict} /><${Mark} of=${verdict} /> <b>${sum[verdict]}</b></label
            >`,
        )}
      </fieldset>
      <div class="fields">
        <label><span>Text</span><input type="search" name="q" placeholder="words, id, frame…" autocomplete="off" /></label>
        <label
          ><span>Section</span
          ><select name="section">
            <option value="">any</option>
            ${[...documents].map(
              ([doc, refs]) =>
                html`<optgroup label=${docName(doc)}>
                  ${refs.map((ref) => html`<option value=${ref}>§${address(ref).section} ${titles[ref] ?? ""}</option>`)}
                </optgroup>`,
            )}
          </select></label
        >
        <label
          ><span>Level</span
          ><select name="level">
            <option value="">any</option>
            ${levels.map((level) => html`<option value=${level}>${level}</option>`)}
          </select></label
        >
        ${
          results.length > 1
            ? html`<label
                ><span>Suite</span
                ><select name="suite">
                  <option value="">any</option>
                  ${labels(results).map((name, run) => html`<option value=${String(run)}>${name}</option>`)}
                </select></label
              >`
            : ""
        }
      </div>
      <p class="aside" role="status" id="shown"></p>
    </form>
  `;
}
