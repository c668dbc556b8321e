import { describe, expect, test } from "vitest";
import type { Leniency } from "./leniency.ts";
import { STRICT } from "./leniency.ts";
import { chunked, get, head, ok, play, playResponse, post, server } from "./testing.ts";

const REQUEST = "request 1 GET / end";
/** With a leniency: how a message is understood. Without it, the message is refused. */
const ON: readonly (readonly [keyof Leniency, string, readonly string[]])[] = [
  ["bareLf", "GET / HTTP/1.1\nHost: a\n\n", [REQUEST]],
  ["bareLf", "\n\nGET / HTTP/1.1\nHost: a\r\nX: y\n\r\n", [REQUEST]],
  [
    "bareLf",
    "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n1\na\n0;b\nX: y\n\n",
    ["request 1 POST /", "data 1 a", "trailers 1 x=y"],
  ],
  ["bareCr", get("X: a\rb"), [REQUEST]],
  ["bareCr", head("GET /\rHTTP/1.1", "Host: a"), [REQUEST]],
  ["bareCr", chunked("1;a=\rb\r\na\r\n0\r\n\r\n"), ["request 1 POST /", "data 1 a end"]],
  ["obsFold", get("X: a", "  b", "\tc "), [REQUEST]],
  ["spaceBeforeColon", get("X \t: a"), [REQUEST]],
  ["missingHost", head("GET / HTTP/1.1"), [REQUEST]],
  ["repeatedLength", `${post("Content-Length: 2", "Content-Length: 2, 2")}ab`, ["request 1 POST /", "data 1 ab end"]],
  [
    "lengthAndCoding",
    post("Content-Length: 4", "Transfer-Encoding: chunked") + "1\r\na\r\n0\r\n\r\n" + get(),
    ["request 1 POST /", "data 1 a end"],
  ],
  ["spaceAfterChunkSize", chunked("1  \r\na\r\n0\t\r\n\r\n"), ["request 1 POST /", "data 1 a end"]],
  ["rawTarget", head("GET /\xe9\xff HTTP/1.1", "Host: a"), ["request 1 GET /\xe9\xff end"]],
  ["rawTarget", head("GET /{a}|<b> HTTP/1.1", "Host: a"), ["request 1 GET /{a}|<b> end"]],
];
test.each(ON)("%s: %j", (name, message, events) => {
  expect(play(message, { lenient: { [name]: true } })).toEqual(events);
  const strict = play(message);
  expect(strict.find((line) => line.startsWith("closed"))).toMatch(/^closed [a-z]/i);
  const others = Object.fromEntries(Object.keys(STRICT).map((key) => [key, key !== name]));
  expect(play(message, { lenient: others }).find((line) => line.startsWith("closed"))).toMatch(/^closed [a-z]/i);
});

test("statusWithoutSpace: a status line may end after the code", () => {
  const message = head("HTTP/1.1 200", "Content-Length: 0");
  expect(playResponse(message, { lenient: { statusWithoutSpace: true } })).toEqual(["response 1 200 end", "done 1"]);
  expect(playResponse(message)).toEqual(["failed 1 statusLineInvalid", "closed statusLineInvalid"]);
});

describe("fields, with a leniency", () => {
  const fields = (lenient: Partial<Leniency>, ...lines: readonly string[]): string[] => {
    const [event] = server({ lenient }).events(get(...lines));
    return event?.is === "request" ? event.fields.slice(1).map(({ name, value }) => `${name}=${value}`) : [];
  };
  test("obsFold: a fold becomes one space", () => {
    expect(fields({ obsFold: true }, "X: a", " \t b ", "\t", "Y: c", " d")).toEqual(["x=a b", "y=c d"]);
    expect(fields({ obsFold: true }, "X:", " b")).toEqual(["x=b"]);
  });
  test("bareCr: a bare CR becomes a space", () => {
    expect(fields({ bareCr: true }, "X: a\rb", "Y: \rc\r")).toEqual(["x=a b", "y=c"]);
  });
  test("spaceBeforeColon: the white space is removed", () => {
    expect(fields({ spaceBeforeColon: true }, "X : a", "Y\t : b")).toEqual(["x=a", "y=b"]);
  });
  test("obsFold: a folded Transfer-Encoding is read whole", () => {
    const message = post("Transfer-Encoding: gzip,", " chunked");
    expect(play(message, { lenient: { obsFold: true } })[0]).toBe("closed codingUnknown");
  });
  test("obsFold: the first line has nothing to continue", () => {
    expect(play(head("GET / HTTP/1.1", " Host: a"), { lenient: { obsFold: true } })[0]).toBe("closed spaceBeforeFields");
  });
});

test("repeatedLength: different values are still refused", () => {
  const lenient = { repeatedLength: true };
  expect(play(post("Content-Length: 2", "Content-Length: 3"), { lenient })[0]).toBe("closed contentLengthRepeated");
  expect(play(post("Content-Length: 2, x"), { lenient })[0]).toBe("closed contentLengthInvalid");
});
test("lengthAndCoding: a client does not reuse the connection", () => {
  const message = `${ok("Content-Length: 1", "Transfer-Encoding: chunked")}1\r\na\r\n0\r\n\r\n`;
  expect(playResponse(message, { lenient: { lengthAndCoding: true } })).toEqual(["response 1 200", "data 1 a end", "done 1", "closed"]);
});
