import { MOST_FRAMES, MOST_OCTETS, number, word } from "../fault.ts";
import { GARBAGE_ARGS, garbage } from "../garbage.ts";
import type { Http1Fault, Kit } from "./kit.ts";
import { cut, headOctets, octets, without } from "./unit.ts";

/** Field lines that break the grammar (rfc9112#5.1, #5.2, rfc9110#5.5). */
const BAD_LINES = {
  "no-colon": "x-fault yes",
  space: "x-fault : yes",
  empty: ": yes",
  nul: "x-fault: y\0s",
  "bare-cr": "x-fault: y\rs",
  "bare-lf": "x-fault: y\nx-second: yes",
  fold: "x-fault: y\r\n es",
} as const;

/** An endless head is sent in lines of this length. */
const LINE = Buffer.from(`x-fault: ${"x".repeat(1_013)}\r\n`);
/** SETTINGS without entries, and GOAWAY (rfc9113#6.5, #6.8). */
const HTTP2 = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

const both = (kit: Kit): readonly Http1Fault[] => [
  kit.define("bad-field", {
    title: `sends a ${kit.message} with a field line that breaks the grammar`,
    args: {
      how: word(
        ["no-colon", "space", "empty", "nul", "bare-cr", "bare-lf", "fold"],
        "no colon, a space before it, no name, NUL, CR or LF in the value, or a line fold",
      ),
      ...kit.messages,
    },
    start: ({ how, ...messages }) => kit.onMessage(messages, (head, pass) => pass({ ...head, lines: [...head.lines, BAD_LINES[how]] })),
  }),
  kit.define("endless-head", {
    title: `sends a ${kit.message} with a very large head`,
    args: { octets: number(1, MOST_OCTETS, 262_144, "octets of field lines; the head does not end after them"), after: kit.after },
    start: ({ octets: count, after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, (head, pass) => {
        const begin = headOctets(head);
        pass(octets(head.stream, begin.subarray(0, -2)));
        for (let left = count; left > 0; left -= LINE.length) pass(octets(head.stream, LINE.subarray(0, left)));
      }),
  }),
  kit.define("garbage", {
    title: `sends random octets instead of a ${kit.message}`,
    args: { ...GARBAGE_ARGS, after: kit.after },
    start: ({ octets: count, seed, after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, ({ stream }, pass) => {
        // The first octets cannot begin a message, and a line ends: a reader need not wait for more.
        pass(octets(stream, garbage(count, seed, 4)));
        pass(octets(stream, "\r\n\r\n"));
      }),
  }),
];

const server = (kit: Kit): readonly Http1Fault[] => [
  kit.define("bad-status", {
    title: "sends a response with a status line that breaks the grammar",
    args: { how: word(["version", "code", "protocol", "absent"], "what is wrong"), ...kit.messages },
    start: ({ how, ...messages }) =>
      kit.onMessage(messages, (head, pass) => {
        const start = { version: "HTTP/1.x 200 OK", code: "HTTP/1.1 2x0 OK", protocol: "ICY 200 OK", absent: "" }[how];
        pass({ ...head, start });
      }),
  }),
  kit.define("interim", {
    title: "sends interim responses before a response: many of them, or 101, which nobody asked for",
    args: { status: number(100, 199, 103, "their status"), count: number(1, MOST_FRAMES, 100, "how many"), ...kit.messages },
    start: ({ status, count, ...messages }) =>
      kit.onMessage(messages, (head, pass) => {
        const lines = status === 101 ? ["connection: upgrade", "upgrade: fault"] : [];
        const one = octets(head.stream, headOctets({ start: `HTTP/1.1 ${status} Interim`, lines }));
        for (let sent = 0; sent < count; sent++) pass(one);
        pass(head);
      }),
  }),
  kit.define("http2", {
    title: "answers in HTTP/2, and closes the connection",
    args: { after: kit.after },
    start: ({ after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, ({ stream }, pass) => {
        pass(octets(stream, HTTP2));
        pass(cut(0, "end"));
      }),
  }),
];

const client = (kit: Kit): readonly Http1Fault[] => [
  kit.define("bad-line", {
    title: "sends a request with a request line that breaks the grammar",
    args: { how: word(["version", "method", "space", "short"], "what is wrong"), ...kit.messages },
    start: ({ how, ...messages }) =>
      kit.onMessage(messages, (head, pass) => {
        const [method = "", target = ""] = head.start.split(" ");
        const start = {
          version: `${method} ${target} HTTP/1.x`,
          method: `G@T(${method}) ${target} HTTP/1.1`,
          space: `${method} ${target} and more HTTP/1.1`,
          short: method,
        }[how];
        pass({ ...head, start });
      }),
  }),
  kit.define("host", {
    title: "sends a request without Host, with two, or with an invalid one",
    args: { how: word(["none", "two", "invalid"], "what is wrong"), ...kit.messages },
    start: ({ how, ...messages }) =>
      kit.onMessage(messages, (head, pass) => {
        const lines = without(head.lines, "host");
        const hosts = { none: [], two: ["host: one.example", "host: two.example"], invalid: ["host: a b/c"] }[how];
        pass({ ...head, lines: [...hosts, ...lines] });
      }),
  }),
];

/** Heads that are malformed, too many or too large. */
export const heads = (kit: Kit): readonly Http1Fault[] => [...both(kit), ...(kit.side === "server" ? server(kit) : client(kit))];
