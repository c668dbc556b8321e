import type { VNode } from "preact";
import { Pairs } from "./flags.ts";
import { html } from "./html.ts";
import { Link } from "./labels.ts";
import { Heading, State, useLoaded } from "./load.ts";

type Routers = {
  readonly activeAlertmanagers: readonly { readonly url: string }[];
  readonly droppedAlertmanagers: readonly { readonly url: string }[];
};

/** The process, its version, and the routers that get its alerts. */
export function Status(): VNode {
  const runtime = useLoaded<Readonly<Record<string, unknown>>>("status/runtimeinfo");
  const build = useLoaded<Readonly<Record<string, string>>>("status/buildinfo");
  const routers = useLoaded<Routers>("alertmanagers");
  const active = routers.answer?.data.activeAlertmanagers ?? [];
  return html`<${Heading} title="Status" loading=${runtime} />
    <${State} of=${runtime} />
    <section aria-labelledby="runtime">
      <h2 id="runtime">Process</h2>
      <${Pairs} rows=${rowsOf(runtime.answer?.data)} head=${["Name", "Value"]} />
    </section>
    <section aria-labelledby="build">
      <h2 id="build">Version</h2>
      <${Pairs} rows=${rowsOf(build.answer?.data)} head=${["Name", "Value"]} />
    </section>
    <section aria-labelledby="routers">
      <h2 id="routers">Alert routers</h2>
      ${
        active.length === 0
          ? html`<p class="soft">Alerts are sent to none.</p>`
          : html`<ul>
              ${active.map(({ url }) => html`<li key=${url}><${Link} to=${url} /></li>`)}
            </ul>`
      }
    </section>
    <p class="soft">Touchstone. <a href="licenses.md">Licenses of the libraries in these pages</a></p>`;
}

/** What is empty is left out. */
const rowsOf = (data: Readonly<Record<string, unknown>> = {}): (readonly [string, string])[] =>
  Object.entries(data)
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([, value]) => value !== "");
