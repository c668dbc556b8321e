import type { VNode } from "preact";
import { prose, total } from "../order.ts";
import { html } from "../page/html.ts";
import { Mark } from "../page/marks.ts";
import { causesOf, caseWords, seen } from "./causes.ts";
import type { Finding, SiteInput } from "./input.ts";
import { allJudged, byImplementation, dayOf, versionOf, type Judged } from "./judged.ts";
import { findingPage, implementationPage, upFrom } from "./links.ts";
import { bare, bySectionOnce, everyCase, failedOf, quoted, Rule, Totals } from "./parts.ts";
import { Head, type Page } from "./shell.ts";
import { counted } from "../words.ts";

/** A page for each implementation: where it was judged, and what it does wrong, by cause. */
export function implementationPages(input: SiteInput): Page[] {
  return byImplementation(allJudged(input)).map(([name, columns]) => {
    const path = implementationPage(name);
    const up = upFrom(path);
    const peer = input.peers.find((one) => one.name === name);
    const confirmed = input.findings.filter(({ implementation }) => implementation === name);
    const body = html`
      <${Head} brand="Implementation" title=${`${name} ${versionOf(columns)}`}><p class="lede">${peer?.about}</p><//>
      <nav aria-label="Parts of this page">
        ${columns.map(({ matrix }) => html`<a href=${`#${matrix.name}`}>${bare(matrix.title)}</a>`)}
      </nav>
      <main id="main">
        ${confirmed.length === 0 ? "" : html`<${Confirmed} findings=${confirmed} up=${up} />`}
        <section aria-label="Totals"><${Totals} columns=${columns} up=${up} label="Totals" by="matrix" /></section>
        ${columns.map((column) => html`<${Role} column=${column} up=${up} reproduce=${input.reproduce} confirmed=${confirmed} />`)}
        <section>
          <h2>How to have it</h2>
          <p>${peer?.install ?? "It was judged by hand."}. The configuration is in <code>conformance/peers/${name}/</code>.</p>
        </section>
      </main>
    `;
    return { path, title: `${name} ${versionOf(columns)}: what it gets wrong · Touchstone`, body };
  });
}

const Confirmed = ({ findings, up }: { readonly findings: readonly Finding[]; readonly up: string }): VNode => html`
  <section aria-labelledby="confirmed">
    <h2 id="confirmed">Confirmed by hand</h2>
    <ul class="plain">
      ${findings.map(
        ({ id, title, version }) => html`<li><a href=${up + findingPage(id)}>${title}</a> <span class="aside">in ${version}</span></li>`,
      )}
    </ul>
  </section>
`;

type RoleProps = { readonly column: Judged; readonly up: string; readonly reproduce: string; readonly confirmed: readonly Finding[] };

function Role({ column, up, reproduce, confirmed }: RoleProps): VNode {
  const { result, matrix } = column;
  const causes = causesOf(result);
  const { fail, warn } = result.summary;
  return html`
    <section id=${matrix.name}>
      <h2>${bare(matrix.title)} <span class="who">${result.subject.name} ${result.subject.version}, ${dayOf(result)}</span></h2>
      <p>
        ${fail === 0 ? `None of ${total(result.summary)} cases failed.` : `${sentence(failedOf(column))}, for ${counted(causes.length, "cause")}.`}
        ${warn === 0 ? "" : html` <a href=${up + everyCase(column, "verdict=warn")}>${warn} ${warn === 1 ? "warning" : "warnings"}</a>.`}
        ${" "}<a href=${up + everyCase(column, "")}>Every case</a>.
      </p>
      ${causes.map((cause) => html`<${Cause} cases=${cause} column=${column} up=${up} reproduce=${reproduce} confirmed=${confirmed} />`)}
    </section>
  `;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

type CauseProps = RoleProps & { readonly cases: ReturnType<typeof causesOf>[number] };

function Cause({ cases, column: { matrix, result }, up, reproduce, confirmed }: CauseProps): VNode {
  const [first] = cases;
  const named = bySectionOnce(cases.flatMap(({ covers }) => covers)).slice(0, 4);
  const report = confirmed.find((finding) => finding.cases.some((id) => cases.some((c) => c.id === id)));
  return html`
    <article class="trouble is-fail" id=${`${matrix.name}/${first.id}`}>
      <p class="head"><${Mark} of="fail" words="should" /> <b>${first.title}</b></p>
      <p class="seen">${seen(first)}</p>
      ${first.observed === "" ? "" : html`<p class="aside">Observed: ${prose(first.observed)}</p>`}
      <p class="aside">${named.map((rule) => html`<${Rule} of=${rule} up=${up} /> `)} · ${caseWords(cases)}</p>
      ${report === undefined ? "" : html`<p><a href=${up + findingPage(report.id)}>Confirmed by hand, with the transcript and a report</a></p>`}
      <pre tabindex="0" class="command">${reproduce} ${matrix.name} ${quoted(result.subject.name)} ${first.id}</pre>
    </article>
  `;
}
