import type { VNode } from "preact";
import type { Summary, Verdict } from "../../conformance/harness/result.ts";
import { address, compareRefs, docName, grouped, NONE, sectionOf, VERDICT_WORDS, VERDICTS } from "../order.ts";
import { titlesOf } from "../coverage.ts";
import { html } from "../page/html.ts";
import { Legend } from "../page/overview.ts";
import { answersTo, answerWords } from "./asked.ts";
import type { Protocol, SiteInput, SiteMatrix } from "./input.ts";
import { allJudged, type Judged } from "./judged.ts";
import { implementationPage, protocolPage, questionPage, requirementPlace, upFrom } from "./links.ts";
import { bare, Totals } from "./parts.ts";
import { Head, type Page } from "./shell.ts";

/** The page of a protocol: each matrix as totals, and by section of the specification. */
export function protocolOf(input: SiteInput, protocol: Protocol): Page {
  const path = protocolPage(protocol.id);
  const up = upFrom(path);
  const judged = allJudged(input);
  const columnsOf = (matrix: SiteMatrix): Judged[] => judged.filter((one) => one.matrix === matrix);
  const questions = input.questions.filter(({ matrices }) => protocol.matrices.some(({ name }) => matrices.includes(name)));
  const body = html`
    <${Head} brand="Protocol" title=${protocol.name}><p class="lede">${protocol.about}</p><//>
    <nav aria-label="Parts of this page">
      ${protocol.matrices.map(({ name, title }) => html`<a href=${`#${name}`}>${bare(title)}</a>`)}
      <a href="#verdicts">The verdicts</a>
    </nav>
    <main id="main">
      ${
        questions.length === 0
          ? ""
          : html`<section aria-label="Questions">
              <ul class="cards">
                ${questions.map(
                  (question) => html`
                    <li>
                      <h3><a href=${up + questionPage(question.id)}>${question.ask}</a></h3>
                      <p>${answerWords(answersTo(question, judged), question, 4)}</p>
                    </li>
                  `,
                )}
              </ul>
            </section>`
      }
      ${protocol.matrices.map((matrix) => html`<${Whole} matrix=${matrix} columns=${columnsOf(matrix)} up=${up} />`)}
      <section id="verdicts">
        <h2>The verdicts</h2>
        <${Legend} />
      </section>
    </main>
  `;
  return { path, title: `${protocol.name}: who keeps it · Touchstone`, body };
}

type WholeProps = { readonly matrix: SiteMatrix; readonly columns: readonly Judged[]; readonly up: string };

const Whole = ({ matrix, columns, up }: WholeProps): VNode => html`
  <section id=${matrix.name}>
    <h2>${bare(matrix.title)}</h2>
    <${Totals} columns=${columns} up=${up} label=${`Totals of ${bare(matrix.title)}`} />
    <details class="more" open=${true}>
      <summary>By section of the specification</summary>
      <${Signs} />
      <${BySection} columns=${columns} up=${up} label=${`${bare(matrix.title)} by section`} />
    </details>
    <p class="more"><a href=${`${up}../${matrix.name}.html`}>Every case side by side, with filters</a></p>
  </section>
`;

/** The worst that happened in a section, and how often. */
function worst(summary: Summary): { readonly verdict: Verdict; readonly times: number } | undefined {
  const verdict = VERDICTS.find((one) => summary[one] > 0);
  return verdict === undefined ? undefined : { verdict, times: summary[verdict] };
}

function BySection({ columns, up, label }: Omit<WholeProps, "matrix"> & { readonly label: string }): VNode {
  const titles = titlesOf(columns.map(({ result }) => result));
  const counted = columns.map(({ result }) => countBySection(result.cases));
  const refs = [...new Set(counted.flatMap((one) => [...one.keys()]))].sort(compareRefs);
  return html`
    <div class="scroll heat" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>
            <th scope="col">Section</th>
            ${columns.map(
              ({ name, result, matrix }) =>
                html`<th scope="col"><a href=${`${up}${implementationPage(name)}#${matrix.name}`}>${result.subject.name}</a></th>`,
            )}
          </tr>
        </thead>
        ${[...grouped(refs, (ref) => address(ref).doc)].map(
          ([doc, within]) => html`
            <tbody>
              <tr class="doc">
                <th scope="rowgroup" colspan=${columns.length + 1}>${docName(doc)} <span class="aside">${titles[doc] ?? ""}</span></th>
              </tr>
              ${within.map(
                (ref) => html`
                  <tr>
                    <th scope="row">
                      <a href=${up + requirementPlace(ref)}>§${address(ref).section}</a> <span class="aside">${titles[ref] ?? ""}</span>
                    </th>
                    ${counted.map((one) => html`<${Cell} of=${worst(one.get(ref) ?? NONE)} />`)}
                  </tr>
                `,
              )}
            </tbody>
          `,
        )}
      </table>
    </div>
  `;
}

function countBySection(cases: readonly { readonly spec: string; readonly verdict: Verdict }[]): Map<string, Record<Verdict, number>> {
  const counts = new Map<string, Record<Verdict, number>>();
  for (const { spec, verdict } of cases) {
    const ref = sectionOf(spec);
    const summary = counts.get(ref) ?? { ...NONE };
    summary[verdict]++;
    counts.set(ref, summary);
  }
  return counts;
}

/** A sign for each verdict: a page has thousands of cells, and a picture in each would be most of it. */
const SIGNS: Readonly<Record<Verdict, string>> = { fail: "✗", error: "!", unproved: "?", warn: "△", pass: "✓", skip: "–" };

const Cell = ({ of }: { readonly of: ReturnType<typeof worst> }): VNode =>
  of === undefined
    ? html`<td />`
    : html`<td class=${`in-${of.verdict}`}>
        ${SIGNS[of.verdict]}${of.verdict === "pass" || of.verdict === "skip" ? "" : ` ${of.times}`}
      </td>`;

const Signs = (): VNode => html`
  <p class="aside">
    The worst verdict of the cases of a section, and how many have it:
    ${VERDICTS.map((verdict) => html` <span class=${`is-${verdict} tone`}>${SIGNS[verdict]} ${VERDICT_WORDS[verdict]}</span>`)}
  </p>
`;
