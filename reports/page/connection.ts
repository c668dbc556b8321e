/** The view of one connection of QUIC, from its log. */
import type { VNode } from "preact";
import { cut } from "../clean.ts";
import { type Connection, connectionWords, type Moment } from "../qlog/connection.ts";
import { Curves } from "./curve.ts";
import { html } from "./html.ts";

/** Limits of a list: the first and last lines, and the words of one. */
const HEAD_LINES = 300;
const TAIL_LINES = 100;
const WORDS = 1200;

export function Connections({ connections }: { readonly connections: readonly Connection[] }): VNode | string {
  if (connections.length === 0) return "";
  return html`
    <section id="connections" aria-labelledby="connections-title">
      <h2 id="connections-title">Connections</h2>
      ${connections.map((connection) => html`<${View} connection=${connection} />`)}
    </section>
  `;
}

function View({ connection }: { readonly connection: Connection }): VNode {
  const { file, moments, window, inFlight, rtt, lastsMs, parameters } = connection;
  const lost = moments.filter(({ way }) => way === "lost").map(({ at }) => at);
  const curves = [
    { name: "in flight", points: inFlight },
    { name: "congestion window", points: window },
  ];
  return html`
    <section class="connection" aria-label=${file}>
      <h3>${file}</h3>
      <p>${connectionWords(connection)}</p>
      <${Curves} title="Sending" unit="octets" curves=${curves} marks=${{ name: "packet declared lost", at: lost }} lastsMs=${lastsMs} />
      <${Curves} title="Round-trip time" unit="ms" curves=${[{ name: "latest sample", points: rtt }]} lastsMs=${lastsMs} />
      ${parameters.length === 0 ? "" : html`<${Parameters} parameters=${parameters} />`}
      <details class="more" open>
        <summary>Packets and events (${moments.length})</summary>
        <${Moments} moments=${moments} />
      </details>
    </section>
  `;
}

const Parameters = ({ parameters }: { readonly parameters: Connection["parameters"] }): VNode => html`
  <details class="more">
    <summary>Transport parameters</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Transport parameters">
      <table class="totals">
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Of the side that wrote the log</th>
            <th scope="col">Of the other side</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.map(
            ({ name, local, remote }) =>
              html`<tr>
                <th scope="row"><code>${name}</code></th>
                <td>${cut(local, WORDS)}</td>
                <td>${cut(remote, WORDS)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>
`;

const ARROWS: Readonly<Record<Moment["way"], string>> = { sent: "→", received: "←", lost: "✕", note: "·" };

function Moments({ moments }: { readonly moments: readonly Moment[] }): VNode {
  const left = moments.length - HEAD_LINES - TAIL_LINES;
  if (left <= 1)
    return html`<ol class="wire">
      ${moments.map((moment) => html`<${Line} moment=${moment} />`)}
    </ol>`;
  return html`
    <ol class="wire">
      ${moments.slice(0, HEAD_LINES).map((moment) => html`<${Line} moment=${moment} />`)}
      <li class="note">
        <span class="at"></span><span class="way"></span>
        <span class="means">(${left} lines left out of this page; the log has them)</span>
      </li>
      ${moments.slice(-TAIL_LINES).map((moment) => html`<${Line} moment=${moment} />`)}
    </ol>
  `;
}

const Line = ({ moment: { at, way, what, octets, frames } }: { readonly moment: Moment }): VNode => html`
  <li class=${way}>
    <span class="at">${at.toFixed(1)}</span>
    <span class="way"><span aria-hidden="true">${ARROWS[way]}</span><span class="unseen">${way}</span></span>
    <span class="means"
      >${cut(what, WORDS)}${octets === undefined ? "" : html` <span class="aside">${octets} octets</span>`}${frames.length === 0 ? "" : html`<br />${cut(frames.join("\n"), WORDS)}`}</span
    >
  </li>
`;
