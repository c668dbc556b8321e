import type { Case, Outcome, Text } from "../vocabulary.ts";
import { chunk, CHUNKS, CONTENT, inChunks, ok, orPrints, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 8: responses that are cut off. */

const length = ok("Content-Length: 20");

type Cut = Pick<Case, "id" | "title"> & { readonly text: Text; readonly close?: "reset" };

/** Cut off in the content, by a close or a reset. */
const cut = ({
  requirement,
  ...entry
}: Cut & { readonly requirement: Case["covers"][0]; readonly right?: Text; readonly others?: readonly Outcome[] }): Case =>
  rejects({ ...entry, spec: "rfc9112#8", covers: [requirement, "rfc9112#8/recorded"] });

/** Cut off in the header section. */
const inHead = (entry: Cut): Case => rejects({ ...entry, spec: "rfc9112#8", covers: ["rfc9112#8/header-cut", "rfc9112#8/recorded"] });

const chunked = { right: inChunks(CHUNKS) } as const;

export const cases: readonly Case[] = [
  cut({
    id: "http1/client-length-short",
    title: "Content with fewer octets than its length is incomplete, and the client says so.",
    requirement: "rfc9112#8/length-incomplete",
    text: `${length}${CONTENT}`,
  }),
  cut({
    id: "http1/client-length-short-by-one",
    title: "One octet that is missing makes it incomplete.",
    requirement: "rfc9112#6.3/short",
    text: whole().slice(0, -1),
  }),
  cut({
    id: "http1/client-length-short-of-all",
    title: "A head without any of the content that it announces is incomplete.",
    requirement: "rfc9112#8/length-incomplete",
    text: length,
  }),
  cut({
    id: "http1/client-length-short-reset",
    title: "Content that a reset cuts off is incomplete.",
    requirement: "rfc9112#8/length-incomplete",
    text: `${length}${CONTENT}`,
    close: "reset",
  }),
  cut({
    id: "http1/client-until-close-reset",
    title: "Content that the end of the connection delimits is not whole when the connection breaks.",
    requirement: "rfc9112#8/recorded",
    text: `${ok()}${CONTENT}`,
    close: "reset",
    right: `${ok()}${CONTENT}`,
  }),
  cut({
    id: "http1/client-chunks-without-the-last",
    title: "Chunks without the last one are incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(chunk(CONTENT)),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunks-reset",
    title: "Chunks that a reset cuts off are incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(chunk(CONTENT)),
    ...chunked,
    close: "reset",
  }),
  cut({
    id: "http1/client-chunk-cut-in-data",
    title: "A chunk that ends before its size is incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks("a\r\ntouch"),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunk-cut-in-size",
    title: "A chunk that ends within its first line is incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(`${chunk("touch")}5`),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunk-cut-behind-data",
    title: "A chunk that ends before its line end is incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(`a\r\n${CONTENT}`),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunks-none",
    title: "A head that announces chunks, and none of them, is incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(""),
    ...chunked,
  }),
  cut({
    id: "http1/client-last-chunk-cut",
    title: "Behind the last chunk an empty line is due; where only that is missing, all of the content is there.",
    requirement: "rfc9112#7.1/decode",
    text: inChunks(`${chunk(CONTENT)}0\r\n`),
    ...chunked,
    others: [orPrints("rfc9112#8")],
  }),
  cut({
    id: "http1/client-trailers-cut",
    title: "Trailers that are cut off make the response incomplete, though its content is there.",
    requirement: "rfc9112#7.1/decode",
    text: inChunks(`${chunk(CONTENT)}0\r\nX-Odd: a`),
    ...chunked,
    others: [orPrints("rfc9112#8")],
  }),
  inHead({ id: "http1/client-no-response", title: "A connection that ends without an octet has answered nothing.", text: "" }),
  inHead({ id: "http1/client-cut-in-status-line", title: "A response that ends within its status line is none.", text: "HTTP/1.1 20" }),
  inHead({
    id: "http1/client-cut-behind-status-line",
    title: "A response that ends behind its status line is none.",
    text: "HTTP/1.1 200 OK\r\n",
  }),
  inHead({
    id: "http1/client-cut-in-field",
    title: "A response that ends within a field is none: here a Content-Length, of which a digit is missing.",
    text: "HTTP/1.1 200 OK\r\nContent-Length: 0",
  }),
  inHead({
    id: "http1/client-cut-before-the-empty-line",
    title: "A head without its empty line is not whole.",
    text: "HTTP/1.1 204 No Content\r\nX-Odd: 1\r\n",
  }),
  inHead({
    id: "http1/client-cut-in-head-reset",
    title: "A head that a reset cuts off is not whole.",
    text: "HTTP/1.1 204 No Content\r\nX-Odd: 1\r\n",
    close: "reset",
  }),
  inHead({
    id: "http1/client-cut-behind-interim",
    title: "A connection that ends behind an interim response has answered nothing.",
    text: "HTTP/1.1 100 Continue\r\n\r\n",
  }),
];
