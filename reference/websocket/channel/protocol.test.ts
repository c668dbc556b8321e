import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isId, readControl, TROUBLES, writeControl, type Control, type Sender, type TroubleCode } from "./protocol.ts";

const schema = JSON.parse(readFileSync(new URL("schema.json", import.meta.url), "utf8")) as {
  $id: string;
  $defs: Record<string, { description?: string; properties?: { code?: { enum?: string[] } } }>;
};
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addSchema(schema);
const DEFS = { agent: "fromAgent", client: "fromClient", hub: "fromHub" } as const;
const validators = Object.fromEntries(
  (["agent", "client", "hub"] as const).map((sender) => [sender, ajv.compile({ $ref: `${schema.$id}#/$defs/${DEFS[sender]}` })]),
);
const SENDERS: readonly Sender[] = ["agent", "client", "hub"];

const offset = fc.oneof(fc.constant(0), fc.maxSafeNat());
const cells = fc.integer({ min: 1, max: 1_000 });
const id = fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/);
const controls: Record<Control["type"], fc.Arbitrary<Control>> = {
  offer: fc
    .record({ type: fc.constant("offer" as const), from: offset, end: offset, input: offset, cols: cells, rows: cells })
    .map((offer) => ({ ...offer, from: Math.min(offer.from, offer.end) })),
  state: fc.record({
    type: fc.constant("state" as const),
    session: id,
    run: fc.oneof(fc.constant(""), id),
    agent: fc.constantFrom("here", "gone", "exited"),
    from: offset,
    screen: offset,
    end: offset,
    input: offset,
    known: fc.boolean(),
    window: offset,
    cols: cells,
    rows: cells,
    clients: offset,
    owner: fc.boolean(),
  }),
  resize: fc.record({ type: fc.constant("resize" as const), cols: cells, rows: cells }),
  ack: fc.record({ type: fc.constant("ack" as const), offset }),
  exit: fc.record({
    type: fc.constant("exit" as const),
    code: fc.integer({ min: -255, max: 255 }),
    signal: fc.option(fc.integer({ min: 1, max: 128 }), { nil: null }),
    again: fc.boolean(),
  }),
  start: fc.constant({ type: "start" as const }),
  own: fc.constant({ type: "own" as const }),
  ping: fc.record({ type: fc.constant("ping" as const), id: offset }),
  pong: fc.record({ type: fc.constant("pong" as const), id: offset }),
  error: fc.record({
    type: fc.constant("error" as const),
    code: fc.constantFrom(...(Object.keys(TROUBLES) as TroubleCode[])),
    message: fc.string(),
  }),
};
const SENT_BY: Record<Sender, readonly Control["type"][]> = {
  agent: ["offer", "ack", "exit", "ping", "pong"],
  client: ["resize", "ack", "start", "own", "ping", "pong"],
  hub: ["state", "resize", "ack", "exit", "start", "ping", "pong", "error"],
};
const anyControl = fc.oneof(...Object.values(controls));
/** Nearly a message: one member is wrong, missing, or added. */
const nearlyControl = fc
  .tuple(anyControl, fc.nat(), fc.oneof(fc.constant(undefined), fc.constantFrom(-1, 0, 0.5, 1_001, 2 ** 53, "", "a b", null, true, "here")))
  .map(([control, at, value]) => {
    const names = [...Object.keys(control), "more"];
    return { ...control, [names[at % names.length]!]: value };
  });

describe("control messages", () => {
  test.each(SENDERS)("%s: its messages parse back to the same, and match the schema", (sender) => {
    fc.assert(
      fc.property(fc.oneof(...SENT_BY[sender].map((type) => controls[type])), (control) => {
        expect(readControl(writeControl(control), sender)).toEqual(control);
        expect(validators[sender]!(control)).toBe(true);
      }),
    );
  });

  test.each(SENDERS)("%s: parser and schema refuse the same messages", (sender) => {
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(nearlyControl, fc.jsonValue()), (value) => {
        const written = JSON.stringify(value);
        const read = readControl(written, sender);
        // A schema cannot express that an offer starts before its end.
        if (read.type === "malformed" && read.why.includes("after its end")) return;
        expect(read.type !== "malformed", written).toBe(validators[sender]!(JSON.parse(written)));
        if (read.type === "malformed") refused++;
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  test.each([
    ["", "it is not JSON"],
    ["{", "it is not JSON"],
    ["[]", "it is not an object"],
    ["null", "it is not an object"],
    ['{"type":"toString"}', "the type must be one of resize, ack, start, own, ping, pong"],
    ['{"type":"exit","code":0,"signal":null}', "the type must be one of resize, ack, start, own, ping, pong"],
    ['{"type":"ack"}', "ack has no offset"],
    ['{"type":"ack","offset":-1}', "the offset of ack is out of its range"],
    ['{"type":"ack","offset":1e400}', "the offset of ack is out of its range"],
    ['{"type":"resize","cols":0,"rows":24}', "the cols of resize is out of its range"],
    ['{"__proto__":{"type":"ack","offset":1}}', "the type must be one of resize, ack, start, own, ping, pong"],
  ])("a client's %j: %s", (given, why) => {
    expect(readControl(given, "client")).toEqual({ type: "malformed", why });
  });

  test("an offer that starts after its end is refused", () => {
    expect(readControl('{"type":"offer","from":2,"end":1,"input":0,"cols":80,"rows":24}', "agent")).toMatchObject({ type: "malformed" });
  });

  test("unknown members are ignored, and not passed on", () => {
    expect(readControl('{"type":"ack","offset":1,"more":2}', "client")).toEqual({ type: "ack", offset: 1 });
  });

  test("any text is parsed without a throw", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...SENDERS), (given, sender) => typeof readControl(given, sender).type === "string"),
    );
    expect(readControl("\u0000", "hub").type).toBe("malformed");
  });

  test("the schema describes every type and every error code", () => {
    for (const type of Object.keys(controls)) expect(schema.$defs[type]?.description, type).toMatch(/\w/);
    expect(schema.$defs["error"]?.properties?.code?.enum).toEqual(Object.keys(TROUBLES));
  });

  test.each(["main", "a", "A-1.b_c", "x".repeat(64)])("%s is an id", (name) => expect(isId(name)).toBe(true));
  test.each(["", "-a", "a.", "..", "a/b", "a b", "ä", "x".repeat(65), "a\n"])("%j is not an id", (name) => expect(isId(name)).toBe(false));
});
