import { expect, test } from "vitest";
import { ChunkedBody } from "./body-chunked.ts";
import { FieldLines, Progress } from "./field-lines.ts";
import { Inbox } from "./inbox.ts";
import { STRICT } from "./leniency.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { StartLine } from "./start-line.ts";
import { octets } from "./testing.ts";

/** How often an octet is looked at while `read` is called for each octet that has come. */
function looks(line: string, read: (inbox: Inbox) => Progress): number {
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

const LONG = "a".repeat(2_000);
test.each([
  [
    "field line",
    () => {
      const lines = new FieldLines();
      lines.begin(16_384, 100, "fieldsTooLarge");
      return looks(`X: ${LONG}`, (inbox) => lines.read(inbox, STRICT));
    },
  ],
  [
    "request line",
    () => {
      const start = new StartLine();
      return looks(`GET /${LONG}`, (inbox) => start.readRequest(inbox, STRICT, DEFAULT_LIMITS));
    },
  ],
  [
    "status line",
    () => {
      const start = new StartLine();
      return looks(`HTTP/1.1 200 ${LONG}`, (inbox) => start.readStatus(inbox, STRICT, DEFAULT_LIMITS));
    },
  ],
  [
    "chunk size with extension",
    () => {
      const body = new ChunkedBody(new FieldLines(), DEFAULT_LIMITS, STRICT);
      return looks(`5;a=${LONG}`, (inbox) => body.read(inbox, { content: () => {}, trailers: () => {} }));
    },
  ],
])("%s: one that comes an octet at a time is looked at a few times, not once for each octet", (_name, measure) => {
  expect(measure()).toBeLessThan(8);
});
