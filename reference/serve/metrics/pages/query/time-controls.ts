import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html } from "../html.ts";
import { durationText, localText, readDuration } from "../times.ts";
import { type Panel, stepOf } from "./panels.ts";

const RANGES = ["1m", "5m", "15m", "30m", "1h", "2h", "6h", "12h", "1d", "2d", "7d", "14d", "28d", "56d", "365d"].map((text) =>
  readDuration(text)!,
);

type ControlProps = { readonly panel: Panel; readonly onChange: (patch: Partial<Panel>) => void };

/** The time of a table; the range, end and step of a graph. */
export function TimeControls({ panel, onChange }: ControlProps): VNode {
  const { tab, rangeMs, endMs, stepMs } = panel;
  const isGraph = tab === "graph";
  const shift = (sign: number): void => onChange({ endMs: Math.round((endMs ?? Date.now()) + (sign * rangeMs) / 2) });
  return html`<form class="controls" onSubmit=${(event: Event) => event.preventDefault()}>
    ${
      isGraph
        ? html`<span class="row">
            <button
              type="button"
              aria-label="Shorter range"
              onClick=${() => onChange({ rangeMs: RANGES.findLast((one) => one < rangeMs) ?? rangeMs })}
            >
              −
            </button>
            <${Field}
              label="Range"
              text=${durationText(rangeMs)}
              read=${readDuration}
              onChange=${(ms: number | undefined) => onChange({ rangeMs: ms ?? rangeMs })}
            />
            <button
              type="button"
              aria-label="Longer range"
              onClick=${() => onChange({ rangeMs: RANGES.find((one) => one > rangeMs) ?? rangeMs })}
            >
              +
            </button>
          </span>`
        : ""
    }
    <span class="row">
      ${isGraph ? html`<button type="button" aria-label="Earlier" onClick=${() => shift(-1)}>‹</button>` : ""}
      <label
        >${isGraph ? "End" : "Time"}
        <input
          type="datetime-local"
          step="1"
          value=${endMs === undefined ? "" : localText(endMs).replace(" ", "T")}
          onChange=${(event: Event) => {
            const at = Date.parse((event.currentTarget as HTMLInputElement).value);
            onChange({ endMs: Number.isNaN(at) ? undefined : at });
          }}
      /></label>
      ${isGraph ? html`<button type="button" aria-label="Later" onClick=${() => shift(1)}>›</button>` : ""}
      <button type="button" aria-pressed=${endMs === undefined} onClick=${() => onChange({ endMs: undefined })}>Now</button>
    </span>
    ${
      isGraph
        ? html`<${Field}
            label="Step"
            text=${stepMs === undefined ? "" : durationText(stepMs)}
            hint=${durationText(stepOf(panel))}
            read=${readDuration}
            onChange=${(ms: number | undefined) => onChange({ stepMs: ms })}
          />`
        : ""
    }
  </form>`;
}

type FieldProps = {
  readonly label: string;
  readonly text: string;
  readonly hint?: string;
  readonly read: (text: string) => number | undefined;
  /** Undefined: the field is empty. */
  readonly onChange: (ms: number | undefined) => void;
};

/** A duration that takes effect when it is complete. */
function Field({ label, text, hint = "", read, onChange }: FieldProps): VNode {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const isWrong = typed.trim() !== "" && read(typed) === undefined;
  return html`<label
    >${label}
    <input
      type="text"
      class="short"
      size="6"
      value=${typed}
      placeholder=${hint}
      aria-invalid=${isWrong}
      title=${isWrong ? "Write a duration, such as 30s, 5m or 1h30m" : ""}
      onInput=${(event: Event) => setTyped((event.currentTarget as HTMLInputElement).value)}
      onChange=${() => {
        if (!isWrong) onChange(read(typed));
      }}
  /></label>`;
}
