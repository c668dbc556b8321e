import { describe, expect, test } from "vitest";
import { fromLatin1, toLatin1 } from "../octets.ts";
import { Inserter } from "./insert.ts";

const inserted = (...writes: readonly string[]): string[] => {
  const inserter = new Inserter([
    ["Authorization", "Basic eA=="],
    ["X-Team", "a"],
  ]);
  return writes.map((text) => toLatin1(inserter.insert(fromLatin1(text))));
};
const FIELDS = "Authorization: Basic eA==\r\nX-Team: a\r\n";

describe("Inserter", () => {
  test("a request: the fields come before Host", () => {
    expect(inserted("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).toEqual([`GET / HTTP/1.1\r\n${FIELDS}Host: a\r\n\r\n`]);
  });

  test("two requests in one write: both get the fields", () => {
    const one = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const with_ = `GET / HTTP/1.1\r\n${FIELDS}Host: a\r\n\r\n`;
    expect(inserted(one + one)).toEqual([with_ + with_]);
  });

  test("a request in the content of another: stays as it is", () => {
    const hidden = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    const text = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
    expect(inserted(text)).toEqual([text.replace("Host", `${FIELDS}Host`)]);
  });

  test("a field of the case: its own one stays, the others are added", () => {
    expect(inserted("GET / HTTP/1.1\r\nHost: a\r\nAUTHORIZATION : Basic \r\n\r\n")).toEqual([
      "GET / HTTP/1.1\r\nX-Team: a\r\nHost: a\r\nAUTHORIZATION : Basic \r\n\r\n",
    ]);
  });

  test("a line that continues the start line: still does", () => {
    const text = "GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n";
    expect(inserted(text)).toEqual([text.replace("Host", `${FIELDS}Host`)]);
  });

  test("no Host: the fields come last", () => {
    expect(inserted("GET / HTTP/1.1\r\nX: y\r\n\r\n")).toEqual([`GET / HTTP/1.1\r\nX: y\r\n${FIELDS}\r\n`]);
  });

  test("a head in several writes: gets the fields once, as soon as its place is there", () => {
    expect(inserted("GET / HTTP/1.1\r\n", "Host: a\r\n", "X: y\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n")).toEqual([
      "GET / HTTP/1.1\r\n",
      `${FIELDS}Host: a\r\n`,
      "X: y\r\n\r\n",
      `GET / HTTP/1.1\r\n${FIELDS}Host: a\r\n\r\n`,
    ]);
  });

  test("a head that is cut inside the name Host: gets them at its end", () => {
    expect(inserted("GET / HTTP/1.1\r\nHo", "st: a\r\n\r\n")).toEqual(["GET / HTTP/1.1\r\nHo", `st: a\r\n${FIELDS}\r\n`]);
  });

  test("an incomplete head with Host: gets them at once", () => {
    expect(inserted("GET / HTTP/1.1\r\nHost: a\r\nX: ")).toEqual([`GET / HTTP/1.1\r\n${FIELDS}Host: a\r\nX: `]);
  });

  test("no fields: nothing changes", () => {
    const octets = fromLatin1("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(new Inserter([]).insert(octets)).toBe(octets);
  });
});
