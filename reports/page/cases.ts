import type { VNode } from "preact";
import type { Result } from "../../conformance/harness/result.ts";
import { titlesOf } from "../coverage.ts";
import { address, compareRefs, docName, grouped, labels, levelClass, sectionOf, sumOf, VERDICTS } from "../order.ts";
import { html } from "./html.ts";
import { Mark } from "./marks.ts";
import { Needs } from "./needs.ts";

/** The frame of the cases: the script of the page filters and draws them. */
export function Cases({ results }: { readonly results: readonly Result[] }): VNode {
  const specs = [...new Set(results.flatMap((result) => result.cases.map(({ spec }) => sectionOf(spec))))];
  return html`
    <section id="cases" aria-labelledby="cases-title">
      <h2 id="cases-title">All cases</h2>
      <${Needs}>The counts and the failures above are complete, and the JSON result has everything.<//>
      <${Filters} results=${results} specs=${specs} titles=${titlesOf(results)} />
      <div id="list"></div>
      <p id="none" hidden>No case matches. <button type="button" id="clear">Show all cases</button></p>
    </section>
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
