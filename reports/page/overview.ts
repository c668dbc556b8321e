import type { VNode } from "preact";
import type { Result, Summary } from "../../conformance/harness/result.ts";
import {
  duration,
  findings,
  labels,
  partialWords,
  subjectName,
  suiteName,
  sumOf,
  total,
  VERDICT_MEANS,
  VERDICT_WORDS,
  VERDICTS,
} from "../order.ts";
import { html } from "./html.ts";
import { Mark, VerdictBar } from "./marks.ts";
import { counted } from "../words.ts";

const cases = (n: number): string => counted(n, "case");

/** The result in one sentence. */
export function headline(summary: Summary, causes = summary.fail): string {
  const { fail, error, unproved, warn, skip } = summary;
  const ran = total(summary);
  if (ran === 0) return "No case ran.";
  if (fail > 0) return `${fail} of ${cases(ran)} failed${causes < fail ? ` for ${counted(causes, "cause")}` : ""}.`;
  if (error > 0) return `No case failed, but ${cases(error)} could not be judged.`;
  if (unproved > 0) return `No case failed, but ${unproved} of ${cases(ran)} proved nothing.`;
  if (warn > 0) return `No case failed; ${warn} of ${ran} passed with a warning.`;
  return skip > 0 ? `Every case passed, except ${skip} of ${ran} that were skipped.` : `All ${cases(ran)} passed.`;
}

/** The subjects of the page. */
export function subjects(results: readonly Result[]): string {
  const names = [...new Set(results.map(subjectName))];
  if (names.length <= 3) return names.join(", ");
  return `${names.length} subjects`;
}

/** The time of the run and the version of Touchstone. */
const origin = ({ startedAt, tool }: Result): string => `${day(startedAt)} · ${tool.name} ${tool.version}`;
const day = (iso: string): string => iso.slice(0, 16).replace("T", " ") + (iso.endsWith("Z") ? " UTC" : "");

export function Overview({ results }: { readonly results: readonly Result[] }): VNode {
  const sum = sumOf(results);
  const [first] = results;
  const causes = results.reduce((count, { cases: all }) => count + findings(all.filter(({ verdict }) => verdict === "fail")).length, 0);
  const names = labels(results);
  return html`
    <header>
      <p class="brand">Touchstone · ${[...new Set(results.map(suiteName))].join(", ")}</p>
      <h1>${subjects(results)}</h1>
      <p class="lede">${headline(sum, causes)}</p>
      ${results.map((result) => {
        const words = partialWords(result);
        return words === undefined ? "" : html`<p class="partial"><strong>Partial.</strong> ${suiteName(result)}: ${words}.</p>`;
      })}
      <div class="runs">${results.map((result, run) => html`<${Run} result=${result} run=${run} name=${names[run]} />`)}</div>
      ${
        results.length > 1 && first !== undefined
          ? html`<p class="aside">
              ${cases(total(sum))} in ${duration(results.reduce((ms, { ms: one }) => ms + one, 0))} · ${origin(first)}
            </p>`
          : ""
      }
    </header>
  `;
}

type RunProps = { readonly result: Result; readonly run: number; readonly name: string };

function Run({ result, run, name }: RunProps): VNode {
  const { summary, subject } = result;
  const filter = (verdict: string): string => `#verdict=${verdict}${name === "" ? "" : `&suite=${run}`}`;
  return html`
    <section class="run" aria-label=${`${suiteName(result)}: ${subjectName(result)}`}>
      ${name === "" ? "" : html`<h2>${name}</h2>`}
      <${VerdictBar} summary=${summary} />
      <ul class="counts">
        ${VERDICTS.filter((verdict) => summary[verdict] > 0).map(
          (verdict) => html`
            <li>
              <a href=${filter(verdict)} class=${`is-${verdict}`}
                ><b>${summary[verdict]}</b> <${Mark} of=${verdict} words=${VERDICT_WORDS[verdict]}
              /></a>
            </li>
          `,
        )}
      </ul>
      <p class="aside">
        <code>${subject.target}</code> · ${cases(total(summary))} in ${duration(result.ms)}${name === "" ? ` · ${origin(result)}` : ""}
      </p>
    </section>
  `;
}

/** Explains the verdicts to first-time readers. */
export const Legend = (): VNode => html`
  <dl class="legend">
    ${VERDICTS.map(
      (verdict) =>
        html`<div>
          <dt><${Mark} of=${verdict} /></dt>
          <dd>${VERDICT_MEANS[verdict]}</dd>
        </div>`,
    )}
  </dl>
`;
