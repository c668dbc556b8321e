import { field, instant, type Field } from "../../../reference/core/index.ts";
import { Connection, settingsPayload, type Event, type Options, type StreamId } from "../../../reference/http2/index.ts";
import type { Draw } from "./http1-draw.ts";
import { shown } from "./http1-report.ts";

const T0 = instant(0);
const FIRST = 1 as StreamId;
const NOTHING = new Uint8Array(0);
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

const settings = (d: Draw): NonNullable<Options["settings"]> => ({
  ...(d.once(2) ? { initialWindowSize: d.of([0, 3, 10, 65_535, 200_000]) } : {}),
  ...(d.once(3) ? { headerTableSize: d.of([0, 100, 4_096, 8_192]) } : {}),
  ...(d.once(3) ? { maxFrameSize: d.of([16_384, 20_000]) } : {}),
});
const requestFields = (d: Draw): Field[] => [
  field(":method", d.of(["GET", "HEAD", "OPTIONS"])),
  field(":scheme", "http"),
  field(":authority", "a"),
  field(":path", d.of(["/", "/abc"])),
  ...(d.once(3) ? [field("x", "y")] : []),
  ...(d.once(8) ? [field("content-length", d.of(["0", "3"]))] : []),
];

/** Both ends of a connection that HTTP/1.1 upgraded to HTTP/2 (rfc7540#3.2). */
export function upgradeLife(d: Draw): string {
  const lines: string[] = [];
  const fields = requestFields(d);
  const ours = settings(d);
  const offer = d.often<() => Uint8Array | undefined>([
    [8, () => settingsPayload(ours)],
    [1, () => undefined],
    [1, () => Uint8Array.of(0, 4, 0)],
    [1, () => Uint8Array.of(0, 4, 0x80, 0, 0, 0)],
    [1, () => Uint8Array.of(0, 2, 0, 0, 0, d.below(3))],
    [1, () => new Uint8Array(d.below(13))],
  ])();
  lines.push(offer === undefined ? "no offer" : shown(offer));
  const limits = d.once(3) ? { encoderTable: d.of([0, 50, 4_096]) } : {};
  const upgraded = { fields, ...(offer === undefined ? {} : { settings: offer }) };
  const server = new Connection({ side: "server", settings: settings(d), limits, upgraded }, T0);
  const client = new Connection({ side: "client", settings: ours, upgraded: { fields } }, T0);
  const say = (who: string, events: readonly Event[]): void => {
    for (const event of events)
      lines.push(`${who} ${JSON.stringify(event, (_, value: unknown) => (value instanceof Uint8Array ? shown(value) : value))}`);
  };
  let late: Uint8Array = NOTHING;
  const carry = (): void => {
    for (let turns = 0; turns < 20; turns++) {
      const [up, down] = [Buffer.concat([late, ...client.take()]), Buffer.concat(server.take())];
      late = NOTHING;
      if (up.length + down.length === 0) return;
      lines.push(`up ${shown(up)}`, `down ${shown(down)}`);
      say("server", server.receive(up, T0));
      say("client", client.receive(down, T0));
    }
  };
  const acts: readonly [string, () => unknown][] = [
    [
      "respond",
      () =>
        server.respond(
          FIRST,
          d.of([200, 204, 404]),
          [field("x", "y"), field("z", "v".repeat(40)), ...(d.once(3) ? [field("content-length", "12")] : [])],
          d.once(2),
        ),
    ],
    ["data", () => server.data(FIRST, new Uint8Array(d.of([1, 12, 70_000])), d.once(2))],
    ["reset", () => server.reset(FIRST, "CANCEL")],
    ["cancel", () => client.reset(FIRST, "CANCEL")],
    ["request", () => JSON.stringify(client.request(requestFields(d), true))],
    ["upload", () => client.data(FIRST, new Uint8Array(1), true)],
    ["trailers", () => server.trailers(FIRST, [field("t", "u")])],
    ["carry", carry],
    ["end", () => say("server", server.ended(T0))],
    ["end", () => say("client", client.ended(T0))],
  ];
  if (d.once(6)) {
    // Only a part of the preface, or something else.
    const cut = d.below(PREFACE.length);
    say("server", server.receive(PREFACE.subarray(0, cut), T0));
    if (d.once(3)) say("server", server.receive(Uint8Array.of(d.below(256)), T0));
    if (d.once(2)) say("server", server.ended(T0));
    lines.push(shown(Buffer.concat(server.take())));
    return lines.join("\n");
  }
  if (d.once(2)) {
    // Only the preface of the client: its settings are known from its offer alone.
    const first = Buffer.concat(client.take());
    say("server", server.receive(first.subarray(0, PREFACE.length), T0));
    late = first.subarray(PREFACE.length);
  } else carry();
  for (let more = d.between(2, 10); more > 0; more--) {
    const [name, act] = more > 6 ? acts[0]! : d.of(acts.slice(0, d.once(5) ? acts.length : 8));
    try {
      lines.push(`${name} ${String(act())}`);
    } catch (error) {
      lines.push(`${name}: ${String(error)}`);
    }
    say("server", server.events());
    say("client", client.events());
    lines.push(`${server.deadline} ${client.deadline} ${server.queued} ${client.queued}`);
    if (d.once(3)) carry();
  }
  carry();
  return lines.join("\n");
}
