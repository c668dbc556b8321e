import type { VNode } from "preact";
import { docName } from "../order.ts";
import { html } from "../page/html.ts";
import { answersTo, answerWords } from "./asked.ts";
import type { Protocol, SiteInput } from "./input.ts";
import { allJudged, byImplementation, versionOf, type Judged } from "./judged.ts";
import { documentPage, findingPage, implementationPage, protocolPage, questionPage } from "./links.ts";
import type { Held } from "./held.ts";
import { Head, type Page } from "./shell.ts";

/** How many names an answer has on this page. */
const NAMES = 6;

const count = (n: number): string => n.toLocaleString("en");

/** The first page: questions with their answers, then protocols, findings, implementations and specifications. */
export function landing(input: SiteInput, held: Held): Page {
  const judged = allJudged(input);
  const implementations = byImplementation(judged);
  const cases = new Set(judged.flatMap(({ result }) => result.cases.map(({ id }) => id))).size;
  const body = html`
    <${Head} brand="The public matrix" title="Does it speak the protocol?">
      <p class="lede">
        Touchstone has ${count(cases)} tests, each made from a sentence of a specification. ${implementations.length} servers, clients,
        proxies and libraries took those of their protocols and roles. Here is what they got wrong.
      </p>
    <//>
    <main id="main">
      <section aria-labelledby="answers">
        <h2 id="answers">Questions people ask</h2>
        <ul class="cards">
          ${input.questions.map(
            (question) => html`
              <li>
                <h3><a href=${questionPage(question.id)}>${question.ask}</a></h3>
                <p>${answerWords(answersTo(question, judged), question, NAMES)}</p>
              </li>
            `,
          )}
        </ul>
      </section>
      <section aria-labelledby="protocols">
        <h2 id="protocols">Protocols</h2>
        <ul class="cards">
          ${input.protocols.map((protocol) => html`<${ProtocolCard} protocol=${protocol} judged=${judged} />`)}
        </ul>
      </section>
      ${
        input.findings.length === 0
          ? ""
          : html`<section aria-labelledby="findings">
              <h2 id="findings">Confirmed by hand in current releases</h2>
              <ul class="plain">
                ${input.findings.map(({ id, title }) => html`<li><a href=${findingPage(id)}>${title}</a></li>`)}
              </ul>
            </section>`
      }
      <section aria-labelledby="implementations">
        <h2 id="implementations">Implementations</h2>
        <ul class="many">
          ${implementations.map(
            ([name, columns]) => html`
              <li>
                <a href=${implementationPage(name)}>${name}</a> <span class="aside">${versionOf(columns)} · ${failWords(columns)}</span>
              </li>
            `,
          )}
        </ul>
      </section>
      <section aria-labelledby="requirements">
        <h2 id="requirements">Specifications, requirement by requirement</h2>
        <ul class="many">
          ${input.documents.map(
            ({ spec, title, requirements }) => html`
              <li>
                <a href=${documentPage(spec)}>${docName(spec)}</a>
                <span class="aside">
                  ${title} · ${requirements.filter(({ id }) => held.has(`${spec}#${id}`)).length} of ${requirements.length} judged</span
                >
              </li>
            `,
          )}
        </ul>
      </section>
    </main>
  `;
  return { path: "index.html", title: "Touchstone: who speaks the protocol?", body };
}

/** `31 fails`. A case over TLS and one in clear text are two. */
function failWords(columns: readonly Judged[]): string {
  const fails = columns.reduce((sum, { result }) => sum + result.summary.fail, 0);
  return fails === 0 ? "nothing failed" : `${count(fails)} failed`;
}

function ProtocolCard({ protocol, judged }: { readonly protocol: Protocol; readonly judged: readonly Judged[] }): VNode {
  const names = new Set(judged.flatMap((one) => (one.protocol === protocol ? [one.name] : [])));
  return html`
    <li>
      <h3><a href=${protocolPage(protocol.id)}>${protocol.name}</a></h3>
      <p>${protocol.about}</p>
      <p class="aside">${names.size} implementations</p>
    </li>
  `;
}
