import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.ts";
import { Heading, State, useLoaded } from "./load.ts";

/** The configuration as YAML with all defaults and without secrets. */
export function Config(): VNode {
  const loading = useLoaded<{ readonly yaml: string }>("status/config");
  const [said, setSaid] = useState("");
  const yaml = loading.answer?.data.yaml;
  const copy = (): void =>
    void navigator.clipboard.writeText(yaml ?? "").then(
      () => setSaid("Copied."),
      () => setSaid("The browser does not allow it here: select the text instead."),
    );
  return html`<${Heading} title="Configuration" loading=${loading} />
    <${State} of=${loading} />
    ${
      yaml === ""
        ? html`<p>The server runs without a configuration.</p>`
        : yaml === undefined
          ? ""
          : html`<p><button type="button" onClick=${copy}>Copy</button> <span role="status">${said}</span></p>
              <pre tabindex="0" aria-label="Configuration as YAML"><code>${yaml}</code></pre>`
    }`;
}
