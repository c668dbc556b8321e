import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.ts";
import { exprLink, type LabelSet, Labels, Mark } from "./labels.ts";
import { Heading, State, useLoaded } from "./load.ts";
import { typed } from "./targets.ts";
import { agoText, durationText, secondsText } from "./times.ts";

export type Alert = {
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
  readonly state: string;
  readonly activeAt: string;
  readonly value: string;
};
export type Rule = {
  readonly type: "alerting" | "recording";
  readonly name: string;
  readonly query: string;
  readonly labels: LabelSet;
  readonly health: string;
  readonly lastError?: string;
  readonly evaluationTime: number;
  readonly lastEvaluation: string;
  readonly state?: string;
  readonly duration?: number;
  readonly keepFiringFor?: number;
  readonly annotations?: LabelSet;
  readonly alerts?: readonly Alert[];
};
type Group = {
  readonly name: string;
  readonly file: string;
  readonly rules: readonly Rule[];
  readonly interval: number;
  readonly evaluationTime: number;
  readonly lastEvaluation: string;
};
export type Groups = { readonly groups: readonly Group[] };

/** The groups of rules with their health, last evaluation and time. */
export function Rules(): VNode {
  const loading = useLoaded<Groups>("rules?exclude_alerts=true");
  const [text, setText] = useState("");
  const groups = loading.answer?.data.groups ?? [];
  const now = Date.now();
  const isShown = ({ name, query }: Rule): boolean => `${name} ${query}`.toLowerCase().includes(text.toLowerCase());
  return html`<${Heading} title="Rules" loading=${loading} />
    <${State} of=${loading} />
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <label>Filter by name or expression <input type="search" value=${text} onInput=${typed(setText)} /></label>
    </form>
    ${loading.answer !== undefined && groups.length === 0 ? html`<p>The configuration has no rules.</p>` : ""}
    ${groups.map(({ name, file, rules, interval, evaluationTime, lastEvaluation }) => {
      const shown = rules.filter(isShown);
      return shown.length === 0
        ? ""
        : html`<details class="group" key=${`${file} ${name}`} open>
            <summary>
              <h2>${name}</h2>
              <span class="soft"
                >${`${file}, every ${durationText(interval * 1_000)}, last ${agoText(lastEvaluation, now)} in ${secondsText(evaluationTime)}`}</span
              >
            </summary>
            ${shown.map((rule, at) => html`<${RuleCard} key=${`${rule.name} ${at}`} rule=${rule} now=${now} />`)}
          </details>`;
    })}`;
}

function RuleCard({ rule, now }: { readonly rule: Rule; readonly now: number }): VNode {
  const { type, name, labels, health, lastError, evaluationTime, lastEvaluation } = rule;
  return html`<article class="card">
    <h3>${name} <span class="soft">${type === "alerting" ? "alert" : "recording"}</span> <${Mark} of=${health} /></h3>
    <${Expression} rule=${rule} />
    ${Object.keys(labels).length === 0 ? "" : html`<p><span class="soft">Labels: </span><${Labels} of=${labels} /></p>`}
    <${Annotations} of=${rule.annotations ?? {}} />
    ${lastError === undefined ? "" : html`<p class="error">${lastError}</p>`}
    <p class="soft" title=${lastEvaluation}>${`Last evaluation ${agoText(lastEvaluation, now)} in ${secondsText(evaluationTime)}`}</p>
  </article>`;
}

/** The expression of a rule, as a link to the query page, with how long an alert waits. */
export function Expression({ rule: { query, duration = 0, keepFiringFor = 0 } }: { readonly rule: Rule }): VNode {
  return html`<p class="expression">
    <a href=${exprLink(query)}><code>${query}</code></a>
    ${duration > 0 ? html` <span class="soft">for ${durationText(duration * 1_000)}</span>` : ""}
    ${keepFiringFor > 0 ? html` <span class="soft">keeps firing for ${durationText(keepFiringFor * 1_000)}</span>` : ""}
  </p>`;
}

/** Annotations, with links where their whole text is an address of the web. */
export function Annotations({ of }: { readonly of: LabelSet }): VNode | null {
  const all = Object.entries(of);
  if (all.length === 0) return null;
  return html`<dl class="annotations">
    ${all.map(([name, text]) => {
      const isLink = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
      return html`<div key=${name}>
        <dt>${name}</dt>
        <dd>${isLink ? html`<a href=${text} rel="noreferrer noopener" target="_blank">${text}</a>` : text}</dd>
      </div>`;
    })}
  </dl>`;
}
