import type { VNode } from "preact";
import { prose, total } from "../order.ts";
import { html } from "../page/html.ts";
import { answersTo, answerWords, type Answer } from "./asked.ts";
import { seen } from "./causes.ts";
import type { Question, SiteInput } from "./input.ts";
import { allJudged, dayOf } from "./judged.ts";
import { implementationPage, questionPage, upFrom } from "./links.ts";
import { bySectionOnce, quoted, Rule } from "./parts.ts";
import { Head, type Page } from "./shell.ts";

/** The most cases of one implementation that an answer spells out. */
const SPELLED = 12;

/** A question with its answer: one sentence, a table, and what was seen of each. */
export function questionOf(input: SiteInput, question: Question): Page {
  const path = questionPage(question.id);
  const up = upFrom(path);
  const answers = answersTo(question, allJudged(input));
  const body = html`
    <${Head} brand="Question" title=${question.ask}><p class="lede">${answerWords(answers, question)}</p><//>
    <main id="main">
      <section aria-label="Answers">
        <p>${question.why}</p>
        <${Table} answers=${answers} up=${up} />
      </section>
      ${answers.filter(({ broken }) => broken.length > 0).map((answer) => html`<${Told} answer=${answer} up=${up} reproduce=${input.reproduce} />`)}
    </main>
  `;
  return { path, title: `${question.ask} · Touchstone`, body };
}

const Table = ({ answers, up }: { readonly answers: readonly Answer[]; readonly up: string }): VNode => html`
  <div class="scroll" tabindex="0" role="region" aria-label="Who breaks the rule">
    <table class="totals">
      <thead>
        <tr>
          <th scope="col">Implementation</th>
          <th scope="col">Answer</th>
          <th scope="col">Version</th>
          <th scope="col">Judged</th>
        </tr>
      </thead>
      <tbody>
        ${answers.map((answer) => html`<${Line} answer=${answer} up=${up} />`)}
      </tbody>
    </table>
  </div>
`;

const Line = ({ answer, up }: { readonly answer: Answer; readonly up: string }): VNode => {
  const { result, name, matrix } = answer.column;
  return html`
    <tr>
      <th scope="row">
        <a href=${answer.broken.length > 0 ? `#${name}-${matrix.name}` : `${up}${implementationPage(name)}`}>${result.subject.name}</a>
      </th>
      <td>${answerOf(answer)}</td>
      <td>${result.subject.version}</td>
      <td class="day">${dayOf(result)}</td>
    </tr>
  `;
};

/** `yes: 9 of 81 cases failed`. */
function answerOf({ says, broken, summary }: Answer): VNode {
  const ran = total(summary) - summary.skip;
  if (says === "yes") return html`<b class="is-fail tone">yes</b>: ${broken.length} of ${ran} cases failed`;
  if (says === "broke") return html`<b class="is-warn tone">not shown</b>: ${broken.length} of ${ran} cases failed`;
  if (says === "unknown") return html`<b>unknown</b>: ${summary.skip > 0 ? "it does not offer this" : "nothing was proved"}`;
  const open = summary.unproved + summary.error;
  return html`<b class="is-pass tone">no</b>: none of ${ran} failed${open > 0 ? `, ${open} proved nothing` : ""}`;
}

function Told({
  answer: { column, broken },
  up,
  reproduce,
}: {
  readonly answer: Answer;
  readonly up: string;
  readonly reproduce: string;
}): VNode {
  const { result, name, matrix } = column;
  return html`
    <section id=${`${name}-${matrix.name}`}>
      <h2>
        <a href=${`${up}${implementationPage(name)}#${matrix.name}`}>${result.subject.name}</a>
        <span class="who">${result.subject.version}</span>
      </h2>
      <ul class="lines">
        ${broken.slice(0, SPELLED).map(
          (c) => html`
            <li>
              <b>${c.title}</b><br />
              ${seen(c)} ${c.observed === "" ? "" : html`<span class="aside">Observed: ${prose(c.observed)}.</span>`}
              ${bySectionOnce(c.covers).map((rule) => html`<${Rule} of=${rule} up=${up} /> `)}
            </li>
          `,
        )}
      </ul>
      ${broken.length > SPELLED ? html`<p class="aside">And ${broken.length - SPELLED} more cases.</p>` : ""}
      <pre tabindex="0" class="command">${reproduce} ${matrix.name} ${quoted(result.subject.name)} ${broken[0]?.id}</pre>
    </section>
  `;
}
