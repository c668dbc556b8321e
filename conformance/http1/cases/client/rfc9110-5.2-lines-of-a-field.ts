import { arranged } from "../line-places.ts";
import type { Case } from "../../vocabulary.ts";
import { abandons, CHUNKS, CONTENT, inChunks, orPrints, rejects } from "./phrases.ts";
import { head } from "../phrases.ts";

/** RFC 9110, sections 5.2 and 5.3: the lines of a field count together, wherever they stand among the others. */

const OTHERS = ["Content-Type: text/plain", "X-Odd: 1"] as const;
const LENGTH = `Content-Length: ${CONTENT.length}`;
const section = (fields: readonly string[]): string => head("HTTP/1.1 200 OK", ...fields);

export const cases: readonly Case[] = [
  ...arranged("Connection: x-even", "Connection: close", OTHERS).map(({ name, words, fields }) =>
    abandons({
      id: `http1/client-lines-connection-${name}`,
      spec: "rfc9110#5.2",
      covers: ["rfc9110#5.2/combined", "rfc9112#9.6/client-obeys"],
      title: `The client obeys close in one of two Connection lines: ${words}.`,
      text: `${section([...fields, LENGTH])}${CONTENT}`,
    }),
  ),
  ...arranged("Content-Length: 5", LENGTH, OTHERS).map(({ name, words, fields }) =>
    rejects({
      id: `http1/client-lines-length-${name}`,
      spec: "rfc9112#6.3",
      covers: ["rfc9112#6.3/invalid-length-response"],
      title: `The client rejects two lines with different lengths: ${words}.`,
      text: `${section(fields)}${CONTENT}`,
    }),
  ),
  ...arranged("Transfer-Encoding: x-odd", "Transfer-Encoding: chunked", OTHERS)
    .filter(({ name }) => name.endsWith("-reversed"))
    .map(({ name, words, fields }) =>
      rejects({
        id: `http1/client-lines-coding-${name}`,
        spec: "rfc9112#6.3",
        covers: ["rfc9112#6.3/response-coding-not-chunked"],
        title: `The client reads until the connection closes, or rejects the response, if chunked is on the first of two lines: ${words}.`,
        text: `${section(fields)}${CHUNKS}`,
        right: inChunks(CHUNKS),
        others: [orPrints("rfc9112#6.3", CHUNKS)],
      }),
    ),
];
