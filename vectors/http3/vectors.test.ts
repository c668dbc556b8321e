import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { instant, Reader, readVarint } from "../../reference/core/index.ts";
import { FrameReader } from "../../reference/http3/frame/reader.ts";
import { frame as written, integerFrame } from "../../reference/http3/frame/write.ts";
import { Connection, ErrorCode, INITIAL_SETTINGS, type Event, type Settings } from "../../reference/http3/index.ts";
import { readSettings, settingsPayload } from "../../reference/http3/settings.ts";
import { FakeTransport, fieldsOf, frameOf, GET, headers } from "../../reference/http3/testing.ts";
import type { ConnectionVector, FrameVector, Message, Step } from "./source/craft.ts";
import { fileOf, SOURCES } from "./make.ts";

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
const T0 = instant(0);

test.each(Object.entries(SOURCES))("http3/%s is what its source says", (name, made) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(fileOf(made));
});

/** A side after the handshake; a client has sent its requests. */
class Receiver {
  readonly events: Event[] = [];
  readonly #connection: Connection;
  readonly #opened = new Set<number>();

  constructor(side: "client" | "server", requests: readonly string[] = []) {
    this.#connection = new Connection({ side, transport: new FakeTransport(side), settings: { qpackMaxTableCapacity: 0 } }, T0);
    this.events.push(...this.#connection.receive({ is: "established" }, T0));
    for (const method of requests) this.#connection.request(fieldsOf([[":method", method], ...GET.slice(1)]), true);
    for (const [at] of requests.entries()) this.#opened.add(at * 4);
  }
  step(step: Step): this {
    const { stream } = step;
    if (!this.#opened.has(stream)) this.#feed({ is: "opened", stream });
    this.#opened.add(stream);
    if ("reset" in step) return this.#feed({ is: "reset", stream, code: ErrorCode[step.reset as keyof typeof ErrorCode] });
    return this.#feed({ is: "data", stream, octets: fromHex(step.wire), end: step.end === true });
  }
  #feed(event: Parameters<Connection["receive"]>[0]): this {
    this.events.push(...this.#connection.receive(event, T0));
    return this;
  }
  /** Scope, code and name of the fault. */
  get verdict(): readonly unknown[] {
    for (const event of this.events)
      if ((event.is === "closed" || event.is === "reset") && event.fault !== undefined)
        return [event.fault.scope, event.fault.code, event.fault.name];
    return ["none"];
  }
  get messages(): readonly Message[] {
    const found = new Map<number, { -readonly [Key in keyof Message]: Message[Key] }>();
    const interim = new Map<number, (readonly (readonly [string, string])[])[]>();
    const pairs = (fields: readonly { readonly name: string; readonly value: string }[]): [string, string][] =>
      fields.map(({ name, value }) => [name, value]);
    for (const event of this.events) {
      if (event.is === "interim")
        interim.set(event.stream, [...(interim.get(event.stream) ?? []), [[":status", String(event.status)], ...pairs(event.fields)]]);
      if (event.is === "request" || event.is === "response") {
        const head = event.is === "request" ? [] : [[":status", String(event.status)] as const];
        const before = interim.get(event.stream);
        found.set(event.stream, {
          stream: event.stream,
          ...(before !== undefined && { interim: before }),
          fields: [...head, ...pairs(event.fields)],
          content: "",
          ended: event.end,
        });
      }
      if (event.is !== "data" && event.is !== "trailers") continue;
      const message = found.get(event.stream)!;
      if (event.is === "data") {
        message.content += toHex(event.bytes);
        message.ended ||= event.end;
      } else {
        message.trailers = pairs(event.fields);
        message.ended = true;
      }
    }
    return [...found.values()];
  }
}

const SETTING_NAMES = {
  QPACK_MAX_TABLE_CAPACITY: "qpackMaxTableCapacity",
  MAX_FIELD_SECTION_SIZE: "maxFieldSectionSize",
  QPACK_BLOCKED_STREAMS: "qpackBlockedStreams",
  ENABLE_CONNECT_PROTOCOL: "enableConnectProtocol",
  H3_DATAGRAM: "h3Datagram",
} as const satisfies Readonly<Record<string, keyof Settings>>;
const settingsOf = (named: Readonly<Record<string, number>>): Settings => {
  const values = Object.entries(named).map(([name, value]) => {
    const key = SETTING_NAMES[name as keyof typeof SETTING_NAMES];
    return [key, typeof INITIAL_SETTINGS[key] === "boolean" ? value === 1 : value];
  });
  return { ...INITIAL_SETTINGS, ...(Object.fromEntries(values) as Partial<Settings>) };
};

/** A frame in the form of the vectors. */
function read(wire: string): object {
  const reader = new FrameReader(65_536);
  reader.push(fromHex(wire));
  const head = reader.next();
  if (head?.is !== "head" || head.name === undefined) return { is: "unknown" };
  const unit = reader.next();
  if (head.name === "DATA") return { is: "DATA", data: unit?.is === "content" ? toHex(unit.octets) : "" };
  const payload = unit?.is === "frame" ? unit.payload : new Uint8Array(0);
  if (head.name === "HEADERS") return { is: "HEADERS", section: toHex(payload) };
  if (head.name === "SETTINGS") return { is: "SETTINGS", settings: readSettings(payload) };
  const integer = new Reader(payload);
  const value = { is: head.name, id: readVarint(integer) };
  return head.name === "PRIORITY_UPDATE" ? { ...value, priority: Buffer.from(integer.rest()).toString("latin1") } : value;
}

/** The octets that our writer makes of a frame. */
function write(frame: Readonly<Record<string, unknown>>): Uint8Array {
  switch (frame["is"]) {
    case "DATA":
      return written("DATA", fromHex(String(frame["data"])));
    case "HEADERS":
      return written("HEADERS", fromHex(String(frame["section"])));
    case "SETTINGS":
      return written("SETTINGS", settingsPayload(settingsOf(frame["settings"] as Record<string, number>)));
    case "PRIORITY_UPDATE": {
      const start = integerFrame("PRIORITY_UPDATE", Number(frame["id"])).subarray(5);
      return written("PRIORITY_UPDATE", Uint8Array.from([...start, ...Buffer.from(String(frame["priority"]))]));
    }
    default:
      return integerFrame(frame["is"] as "GOAWAY", Number(frame["id"]));
  }
}

/** A frame after what comes before it on its stream. */
function received({ to, on, wire, end, frame }: Omit<FrameVector, "id">): Receiver {
  const isFirst = frame?.["is"] === "SETTINGS" || wire.startsWith("04") || wire.startsWith("80000004");
  const stream = on === "request" ? 0 : to === "server" ? 2 : 3;
  const receiver = new Receiver(to, to === "client" ? ["POST"] : []);
  const control = to === "server" ? 2 : 3;
  receiver.step({ stream: control, wire: on === "control" && isFirst ? "00" : `00${toHex(frameOf("SETTINGS"))}` });
  const head = to === "server" ? ([[":method", "POST"], ...GET.slice(1)] as const) : ([[":status", "200"]] as const);
  if (on === "request") receiver.step({ stream, wire: toHex(headers(head)) });
  return receiver.step({ stream, wire, ...(end && { end }) });
}

describe("our codec agrees with the vectors of HTTP/3", () => {
  const frames = [...SOURCES.frames.source.vectors, ...SOURCES.settings.source.vectors];

  const of = (result: string): typeof frames => frames.filter((vector) => (vector.result === "valid") === (result === "valid"));
  const meaning = (frame: FrameVector["frame"]): object =>
    frame?.["is"] === "SETTINGS" ? { is: "SETTINGS", settings: settingsOf(frame["settings"] as Record<string, number>) } : frame!;

  test.each(of("invalid"))("refused: $note", (vector) => {
    const { scope, code, fault } = vector;
    expect(received(vector).verdict).toEqual([scope, code, fault]);
  });

  test.each(of("valid"))("read: $note", (vector) => {
    expect([received(vector).verdict, read(vector.wire)]).toEqual([["none"], meaning(vector.frame)]);
  });

  test.each(of("valid").filter(({ flags }) => flags.includes("Canonical")))("written: $note", ({ wire, frame }) => {
    expect(toHex(write(frame!))).toBe(wire);
  });

  const connections: readonly Omit<ConnectionVector, "id">[] = [...SOURCES.connections.source.vectors, ...SOURCES.messages.source.vectors];
  test.each(connections)("connection: $note", ({ to, requests, steps, result, messages, scope, code, fault }) => {
    const receiver = new Receiver(to, requests);
    for (const step of steps.slice(0, -1)) receiver.step(step);
    const before = receiver.verdict;
    receiver.step(steps.at(-1)!);
    const isValid = result === "valid";
    expect([before, receiver.verdict, isValid ? receiver.messages : []]).toEqual([
      ["none"],
      isValid ? ["none"] : [scope, code, fault],
      messages ?? [],
    ]);
  });
});
