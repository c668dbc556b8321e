import { expect, test } from "vitest";
import { CLIENT_PREFACE } from "../../http2/index.ts";
import { answerHttp1, refuseHttp1 } from "./refuse-http1.ts";

const refuses = (text: string): boolean => refuseHttp1(Buffer.from(text, "latin1")) !== undefined;

test("requests of HTTP/1 are recognized by their first line", () => {
  const lines = [
    "GET / HTTP/1.1\r\n",
    "GET / HTTP/1.0\r\nhost: x\r\n\r\n",
    "M-SEARCH * HTTP/1.1\r\n",
    "CONNECT x:1 HTTP/1.1\n",
    `GET /${"a".repeat(4_000)} HTTP/1.1\r\n`,
  ];
  expect(lines.map(refuses)).toEqual([true, true, true, true, true]);
});

test("a request line is not searched far behind the beginning", () => {
  expect([8_000, 9_000].map((length) => refuses(`GET /${"a".repeat(length)} HTTP/1.1\r\n`))).toEqual([true, false]);
});

test("HTTP/2 is not recognized as HTTP/1, however it is cut, nor are similar lines", () => {
  for (let length = 1; length <= CLIENT_PREFACE.length; length++) expect(refuseHttp1(CLIENT_PREFACE.subarray(0, length))).toBeUndefined();
  expect(["", "GET /", "GET / HTTP/2.0\r\n", "GET  / HTTP/1.1\r\n", "\u0016\u0003\u0001", "GET /\r\n HTTP/1.1\r\n"].some(refuses)).toBe(
    false,
  );
});

test("the answer is complete: Content-Length matches its content", () => {
  const text = Buffer.from(answerHttp1()).toString();
  const [head = "", content = ""] = text.split("\r\n\r\n");
  expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(content.length);
  expect(head.startsWith("HTTP/1.1 505 ")).toBe(true);
});
