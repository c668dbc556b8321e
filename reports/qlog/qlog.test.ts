import { describe, expect, test } from "vitest";
import { toHtml } from "../html.ts";
import { connectionOf, connectionWords } from "./connection.ts";
import { isQlog, readQlog } from "./read.ts";
import { sampleLog } from "./sample.ts";

const read = (text: string) => readQlog("logs/one.sqlog", text);
const event = (time: number, name = "transport:datagram_dropped") => ({ time, name, data: {} });
const timesOf = (common: object, times: readonly number[]): readonly number[] =>
  read(JSON.stringify({ qlog_version: "0.3", traces: [{ common_fields: common, events: times.map((time) => event(time)) }] })).flatMap(
    ({ events }) => events.map(({ at }) => at),
  );

describe("the log of a connection", () => {
  test("becomes packets, curves, parameters and an end", () => {
    const [trace] = read(sampleLog());
    if (trace === undefined) throw new Error("the log has a trace");
    const connection = connectionOf(trace);
    expect(connection).toMatchObject({
      file: "one.sqlog",
      side: "server",
      id: "0011aabb",
      lastsMs: 50,
      packets: { sent: 1, received: 1, lost: 1 },
      octets: { sent: 1200, received: 1200 },
      window: [[2, 12_000]],
      inFlight: [
        [2, 1200],
        [12, 0],
      ],
      rtt: [[12, 10]],
      parameters: [
        { name: "initial_max_data", local: "65536", remote: "1024" },
        { name: "grease", local: "bye", remote: "" },
      ],
    });
    expect(connection.moments.map(({ at, way, what, frames }) => [at, way, what, ...frames])).toEqual([
      [2, "sent", "1RTT 7", "STREAM 4 · offset 0 · length 1100 · fin"],
      [12, "received", "1RTT 3", "ACK · 0–4, 6 · ack delay 1"],
      [30, "lost", "1RTT 7"],
      [40, "note", "frame created", "HEADERS · :status: 200"],
      [50, "note", "closed by the other side with code 0x100 (bye)"],
    ]);
    expect(connectionWords(connection)).toBe(
      "Connection 0011aabb, seen by the server: 1 packet sent (1,200 octets, 1 declared lost), 1 received (1,200 octets) in 50 ms; closed by the other side with code 0x100 (bye).",
    );
  });

  test.each([
    ["from an epoch", { time_format: "absolute" }, [1000, 1007, 1020], [0, 7, 20]],
    ["from an epoch, without saying so", {}, [1_796_078_042_897, 1_796_078_042_900], [0, 3]],
    ["from the event before", { time_format: "delta" }, [2, 3, 4], [2, 5, 9]],
    ["from the beginning", { time_format: "relative" }, [2, 3, 4], [2, 3, 4]],
  ])("may count times %s", (_, common, given, expected) => expect(timesOf(common, given)).toEqual(expected));

  test("may be one document, records with RS, or a record a line, and may end in the middle of a record", () => {
    const lines = sampleLog().replaceAll("\u001e", "");
    expect(read(lines)).toEqual(read(sampleLog()));
    expect(read(`${sampleLog()}\u001e{"time":60,"na`)).toEqual(read(sampleLog()));
    expect([sampleLog(), lines, '{"traces":[],"qlog_format":"JSON"}', '{"file_schema":"urn:x"}'].every(isQlog)).toBe(true);
    expect(['{"tool":{"name":"touchstone"}}', "[]", ""].some(isQlog)).toBe(false);
  });

  test.each([
    [
      "a record in the middle that is not JSON",
      sampleLog().replace('"transport:parameters_set"', "oops"),
      /record 2 of this log is not JSON/,
    ],
    ["no event", '{"qlog_format":"JSON","traces":[]}', /a log without an event/],
    ["nothing", "\u001e", /a log without a record/],
  ])("is refused with %s", (_, text, words) => expect(() => read(text)).toThrow(words));

  test("values of another type than the drafts say are left out", () => {
    const odd = [
      { qlog_version: 3 },
      { time: "x", name: 5, data: [1] },
      { name: "quic:packet_sent", data: { header: null, frames: [null, 4] } },
    ];
    const [trace] = read(odd.map((record) => JSON.stringify(record)).join("\n"));
    if (trace === undefined) throw new Error("the log has a trace");
    expect(connectionOf(trace).moments).toEqual([
      { at: 0, way: "note", what: "", frames: [] },
      { at: 0, way: "sent", what: "packet", frames: ["FRAME", "FRAME"] },
    ]);
  });

  test("is a part of the page, cut where it is long", () => {
    const many = Array.from({ length: 1000 }, (_, at) => `\u001e${JSON.stringify(event(50 + at))}\n`).join("");
    const page = toHtml([], { connections: read(sampleLog() + many).map(connectionOf) });
    expect(page).toContain("<h1>Connections</h1>");
    expect(page.match(/<li class="(?:sent|received|lost|note)"/g)).toHaveLength(401);
    expect(page).toContain("(605 lines left out of this page; the log has them)");
    expect(page).toContain(
      'aria-label="Sending: in flight from 0 to 1,200; congestion window from 12,000 to 12,000, octets, over 1050 ms"',
    );
  });
});
