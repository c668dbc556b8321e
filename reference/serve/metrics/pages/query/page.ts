import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.ts";
import { Heading } from "../load.ts";
import { newPanel, type Panel, readPanels, writePanels } from "./panels.ts";
import { PanelView } from "./panel.ts";

/** Expressions with their results; the address keeps them, so that a link shows the same. */
export function QueryPage(): VNode {
  const [panels, setPanels] = useState<readonly Panel[]>(() => readPanels(location.search));
  useEffect(() => {
    const moved = (): void => setPanels(readPanels(location.search));
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  const change = (next: readonly Panel[]): void => {
    setPanels(next);
    history.replaceState(null, "", writePanels(next));
  };
  return html`<${Heading} title="Query" />
    ${panels.map(
      (panel, at) =>
        html`<${PanelView}
          key=${panel.key}
          panel=${panel}
          number=${panels.length === 1 ? undefined : at + 1}
          onChange=${(next: Panel) => change(panels.map((one) => (one.key === panel.key ? next : one)))}
          onRemove=${panels.length === 1 ? undefined : () => change(panels.filter((one) => one.key !== panel.key))}
        />`,
    )}
    <p><button type="button" onClick=${() => change([...panels, newPanel()])}>Add a panel</button></p>`;
}
