import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.ts";
import { Labels, Mark } from "./labels.ts";
import { Heading, State, useLoaded } from "./load.ts";
import { type Alert, Annotations, Expression, type Groups, type Rule } from "./rules.ts";
import { agoText } from "./times.ts";

const STATES = ["firing", "pending", "inactive", "unknown"] as const;
type AlertState = (typeof STATES)[number];
const stateOf = ({ state }: Rule): AlertState => STATES.find((one) => one === state) ?? "unknown";

const MOST_ALERTS = 200;

/** The alerting rules, those that fire first, each with its active alerts. */
export function Alerts(): VNode {
  const loading = useLoaded<Groups>("rules?type=alert");
  const [hidden, setHidden] = useState<ReadonlySet<AlertState>>(new Set());
  const rules = (loading.answer?.data.groups ?? []).flatMap(({ rules: own, name, file }) =>
    own.map((rule) => ({ rule, group: name, file })),
  );
  const toggle = (state: AlertState): void => setHidden((before) => before.symmetricDifference(new Set([state])));
  const now = Date.now();
  return html`<${Heading} title="Alerts" loading=${loading} />
    <${State} of=${loading} />
    <fieldset class="filters">
      <legend>Show</legend>
      ${STATES.map((state) => {
        const count = rules.filter(({ rule }) => stateOf(rule) === state).length;
        return html`<label class="check" key=${state}
          ><input type="checkbox" checked=${!hidden.has(state)} onChange=${() => toggle(state)} /> <${Mark} of=${state} /> ${count}</label
        >`;
      })}
    </fieldset>
    ${loading.answer !== undefined && rules.length === 0 ? html`<p>The configuration has no alerting rules.</p>` : ""}
    ${STATES.flatMap((state) => (hidden.has(state) ? [] : rules.filter(({ rule }) => stateOf(rule) === state))).map(
      ({ rule, group, file }, at) =>
        html`<article class="card" key=${`${file} ${group} ${rule.name} ${at}`}>
          <h2>${rule.name} <${Mark} of=${stateOf(rule)} /> <span class="soft">${group}</span></h2>
          <${Expression} rule=${rule} />
          ${Object.keys(rule.labels).length === 0 ? "" : html`<p><span class="soft">Labels: </span><${Labels} of=${rule.labels} /></p>`}
          ${rule.lastError === undefined ? "" : html`<p class="error">${rule.lastError}</p>`}
          ${
            (rule.alerts ?? []).length === 0
              ? html`<${Annotations} of=${rule.annotations ?? {}} />`
              : html`<${Active} alerts=${rule.alerts} now=${now} />`
          }
        </article>`,
    )}`;
}

function Active({ alerts, now }: { readonly alerts: readonly Alert[]; readonly now: number }): VNode {
  return html`<table class="cards">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Labels</th>
          <th scope="col">Since</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        ${alerts.slice(0, MOST_ALERTS).map(
          ({ labels, annotations, state, activeAt, value }) =>
            html`<tr key=${JSON.stringify(labels)}>
              <td data-title="State"><${Mark} of=${state} /></td>
              <td data-title="Labels"><${Labels} of=${labels} without=${["alertname"]} /><${Annotations} of=${annotations} /></td>
              <td data-title="Since"><time datetime=${activeAt} title=${activeAt}>${agoText(activeAt, now)}</time></td>
              <td data-title="Value">${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${alerts.length > MOST_ALERTS ? html`<p class="soft">${alerts.length - MOST_ALERTS} more.</p>` : ""}`;
}
