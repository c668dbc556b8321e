import { expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { pack } from "../tsdb/codec/index.ts";
import { MessageFault, readRequest, readResponse, RECEIVE_LIMITS, receiveWrite } from "./index.ts";
import { MessageWriter } from "./message-writer.ts";

type Asked = {
  readonly start: number;
  readonly end: number;
  readonly matchers: readonly (readonly [kind: number, name: string, value: string])[];
};
function request(...queries: readonly Asked[]): Uint8Array {
  const to = new MessageWriter();
  for (const { start, end, matchers } of queries) {
    const query = to.begin(1);
    to.integer(1, start);
    to.integer(2, end);
    for (const [kind, name, value] of matchers) {
      const matcher = to.begin(3);
      to.integer(1, kind);
      to.text(2, name);
      to.text(3, value);
      to.end(matcher);
    }
    to.end(query);
  }
  return to.content.slice();
}
function stored(): MemoryStorage {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  for (const name of ["a", "b"]) {
    const id = appender.series(Labels.of({ __name__: name }));
    for (let time = 0; time < 10; time++) appender.append(id, time, time);
  }
  appender.commit();
  return storage;
}
const EU = Labels.of({ region: "eu" });
function answer(asked: readonly Asked[], mostSamples = 100): Uint8Array {
  const work = readResponse(stored(), readRequest(request(...asked)).queries, { external: EU, mostSamples });
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
/** The results of a response, each as a write request has its series: the same messages. */
function written(response: Uint8Array): (readonly [floats: number, problem: string | undefined])[] {
  const found: (readonly [number, string | undefined])[] = [];
  for (let at = 0; at < response.length;) {
    at += 1;
    const long = response[at]! >= 128;
    const length = long ? (response[at]! & 127) + response[at + 1]! * 128 : response[at]!;
    at += long ? 2 : 1;
    const { floats, problem } = receiveWrite(new MemoryStorage(), pack(response.subarray(at, at + length)), "prometheus.WriteRequest", {
      now: 1e12,
      limits: RECEIVE_LIMITS,
    });
    found.push([floats, problem]);
    at += length;
  }
  return found;
}

test("each query has a result with the samples of its time and its series", () => {
  const of = (matchers: Asked["matchers"], start = 0, end = 9): Asked => ({ start, end, matchers });
  const counts = written(
    answer([
      of([[0, "__name__", "a"]]),
      of([[2, "__name__", "a|b"]], 3, 5),
      of([[1, "__name__", "a"]]),
      of([
        [3, "__name__", "a"],
        [0, "region", "eu"],
      ]),
      of([
        [0, "region", "us"],
        [0, "__name__", "a"],
      ]),
    ]),
  );
  expect(counts).toEqual([
    [10, undefined],
    [6, undefined],
    [10, undefined],
    [10, undefined],
    [0, undefined],
  ]);
});
test("a response with too many samples is refused, and so is an invalid matcher", () => {
  const asked = (kind: number, value: string): Asked => ({ start: 0, end: 9, matchers: [[kind, "__name__", value]] });
  expect(() => answer([asked(2, "a|b")], 19)).toThrow(MessageFault);
  expect(answer([asked(2, "a|b")], 20).length).toBeGreaterThan(100);
  expect(() => answer([asked(4, "a")])).toThrow("unknown type 4");
  expect(() => answer([asked(2, "(")])).toThrow(MessageFault);
});
