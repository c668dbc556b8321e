import type { VNode } from "preact";
import { sectionName, total, VERDICT_WORDS } from "../order.ts";
import { html } from "../page/html.ts";
import { Mark, VerdictBar } from "../page/marks.ts";
import { dayOf, type Judged } from "./judged.ts";
import { implementationPage, requirementPlace } from "./links.ts";
import { counted } from "../words.ts";

const SHOWN = ["fail", "warn", "pass", "skip"] as const;

/** `HTTP/1.1 servers` of "HTTP/1.1 servers, judged". */
export const bare = (title: string): string => title.replace(/, judged$/, "");

/** A name as one word of a shell. */
export const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${name}'`);

/** Columns as a table: counts, version and date of each, which is named by its implementation or by its matrix. */
export const Totals = ({ columns, up, label, by = "implementation" }: TotalsProps): VNode => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="totals">
      <thead>
        <tr>
          <th scope="col">${by === "matrix" ? "Judged as" : "Implementation"}</th>
          ${SHOWN.map((verdict) => html`<th scope="col"><${Mark} of=${verdict} words=${VERDICT_WORDS[verdict]} /></th>`)}
          <th scope="col" class="plot"><span class="unseen">Chart</span></th>
          <th scope="col">Version</th>
          <th scope="col">Judged</th>
        </tr>
      </thead>
      <tbody>
        ${columns.map(
          ({ name, result, matrix }) => html`
            <tr>
              <th scope="row">
                <a href=${`${up}${implementationPage(name)}#${matrix.name}`}
                  >${by === "matrix" ? bare(matrix.title) : result.subject.name}</a
                >
              </th>
              ${SHOWN.map((verdict) => html`<td class="count">${result.summary[verdict]}</td>`)}
              <td class="plot"><${VerdictBar} summary=${result.summary} /></td>
              <td>${result.subject.version}</td>
              <td class="day">${dayOf(result)}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  </div>
`;
type TotalsProps = {
  readonly columns: readonly Judged[];
  readonly up: string;
  readonly label: string;
  readonly by?: "implementation" | "matrix";
};

/** `12 of 641 cases failed`. */
export const failedOf = ({ result }: Judged): string => `${result.summary.fail} of ${counted(total(result.summary), "case")} failed`;

/** A requirement as a link to its place on the site, which has the link to the text of the specification. */
export const Rule = ({ of: ref, up }: { readonly of: string; readonly up: string }): VNode =>
  html`<a href=${`${up}${requirementPlace(ref)}`}>${sectionName(ref)}</a>`;

/** One requirement of each section, in their order. */
export const bySectionOnce = (rules: readonly string[]): string[] => [...new Map(rules.map((rule) => [sectionName(rule), rule])).values()];

/** The address of the page of a matrix that shows every case, with these filters. */
export const everyCase = ({ matrix, column }: Judged, filters = "verdict=fail"): string =>
  `../${matrix.name}.html#${filters}&show=all&who=${column}`;
