import { expect, test } from "vitest";
import { ChunkedBody } from "./body-chunked.ts";
import { Exchange } from "./exchange.ts";
import { FieldLines, Progress } from "./field-lines.ts";
import { HeadMemory } from "./head-memory.ts";
import { Inbox } from "./inbox.ts";
import { STRICT } from "./leniency.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { StartLine } from "./start-line.ts";
import { id, octets } from "./testing.ts";

/** How often an octet is read on average, if `read` is called after each octet that arrives. */
function readsPerOctet(line: string, read: (inbox: Inbox) => Progress): number {
  let count = 0;
  const bytes = octets(line);
  const counted = new Proxy(bytes, {
    get(target, key): unknown {
      if (typeof key === "string" && /^\d+$/.test(key)) count++;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const inbox = new Inbox();
  inbox.octets = counted;
  for (let end = 1; end <= bytes.length; end++) {
    inbox.end = end;
    expect(read(inbox)).toBe(Progress.wait);
  }
  return count / bytes.length;
}

const fieldLines = (): FieldLines => new FieldLines(STRICT, new HeadMemory());
const LONG = "a".repeat(2_000);
test.each([
  [
    "field line",
    () => {
      const lines = fieldLines();
      lines.begin(16_384, 100, "fieldsTooLarge");
      return readsPerOctet(`X: ${LONG}`, (inbox) => lines.read(inbox));
    },
  ],
  [
    "request line",
    () => {
      const start = new StartLine(DEFAULT_LIMITS, STRICT, new HeadMemory());
      return readsPerOctet(`GET /${LONG}`, (inbox) => start.readRequest(inbox));
    },
  ],
  [
    "status line",
    () => {
      const start = new StartLine(DEFAULT_LIMITS, STRICT, new HeadMemory());
      return readsPerOctet(`HTTP/1.1 200 ${LONG}`, (inbox) => start.readStatus(inbox));
    },
  ],
  [
    "chunk size with extension",
    () => {
      const body = new ChunkedBody(new Exchange(id(1), "GET"), new HeadMemory(), DEFAULT_LIMITS, STRICT);
      return readsPerOctet(`5;a=${LONG}`, (inbox) => body.read(inbox, { content: () => {}, trailers: () => {} }));
    },
  ],
])("%s: arriving an octet at a time, each octet is read a few times, not once per arrival", (_name, measure) => {
  expect(measure()).toBeLessThan(8);
});
