import type { Case, Outcome, Text } from "../../vocabulary.ts";
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
    title: "The client reports content with fewer octets than its Content-Length as incomplete.",
    requirement: "rfc9112#8/length-incomplete",
    text: `${length}${CONTENT}`,
  }),
  cut({
    id: "http1/client-length-short-by-one",
    title: "The client reports content with one missing octet as incomplete.",
    requirement: "rfc9112#6.3/short",
    text: whole().slice(0, -1),
  }),
  cut({
    id: "http1/client-length-short-of-all",
    title: "The client reports a response without any of its declared content as incomplete.",
    requirement: "rfc9112#8/length-incomplete",
    text: length,
  }),
  cut({
    id: "http1/client-length-short-reset",
    title: "The client reports content that a reset cuts off as incomplete.",
    requirement: "rfc9112#8/length-incomplete",
    text: `${length}${CONTENT}`,
    close: "reset",
  }),
  cut({
    id: "http1/client-until-close-reset",
    title: "The client does not treat a reset as the end of content that the connection delimits.",
    requirement: "rfc9112#8/recorded",
    text: `${ok()}${CONTENT}`,
    close: "reset",
    right: `${ok()}${CONTENT}`,
  }),
  cut({
    id: "http1/client-chunks-without-the-last",
    title: "The client reports chunked content without the last chunk as incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(chunk(CONTENT)),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunks-reset",
    title: "The client reports chunked content that a reset cuts off as incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(chunk(CONTENT)),
    ...chunked,
    close: "reset",
  }),
  cut({
    id: "http1/client-chunk-cut-in-data",
    title: "The client reports a chunk cut off in its data as incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks("a\r\ntouch"),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunk-cut-in-size",
    title: "The client reports a chunk cut off in its size as incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(`${chunk("touch")}5`),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunk-cut-behind-data",
    title: "The client reports a chunk cut off before its line end as incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(`a\r\n${CONTENT}`),
    ...chunked,
  }),
  cut({
    id: "http1/client-chunks-none",
    title: "The client reports a chunked response without any chunk as incomplete.",
    requirement: "rfc9112#8/chunked-incomplete",
    text: inChunks(""),
    ...chunked,
  }),
  cut({
    id: "http1/client-last-chunk-cut",
    title: "The client reports chunked content without the final empty line as incomplete, or accepts it as whole.",
    requirement: "rfc9112#7.1/decode",
    text: inChunks(`${chunk(CONTENT)}0\r\n`),
    ...chunked,
    others: [orPrints("rfc9112#8")],
  }),
  cut({
    id: "http1/client-trailers-cut",
    title: "The client reports a response with cut-off trailers as incomplete, or accepts its content.",
    requirement: "rfc9112#7.1/decode",
    text: inChunks(`${chunk(CONTENT)}0\r\nX-Odd: a`),
    ...chunked,
    others: [orPrints("rfc9112#8")],
  }),
  inHead({ id: "http1/client-no-response", title: "The client reports a connection that closes without an octet as a failure.", text: "" }),
  inHead({
    id: "http1/client-cut-in-status-line",
    title: "The client rejects a response cut off in its status line.",
    text: "HTTP/1.1 20",
  }),
  inHead({
    id: "http1/client-cut-behind-status-line",
    title: "The client rejects a response cut off after its status line.",
    text: "HTTP/1.1 200 OK\r\n",
  }),
  inHead({
    id: "http1/client-cut-in-field",
    title: "The client rejects a response cut off in a field, here a Content-Length that lacks a digit.",
    text: "HTTP/1.1 200 OK\r\nContent-Length: 0",
  }),
  inHead({
    id: "http1/client-cut-before-the-empty-line",
    title: "The client rejects a head without its empty line.",
    text: "HTTP/1.1 204 No Content\r\nX-Odd: 1\r\n",
  }),
  inHead({
    id: "http1/client-cut-in-head-reset",
    title: "The client rejects a head that a reset cuts off.",
    text: "HTTP/1.1 204 No Content\r\nX-Odd: 1\r\n",
    close: "reset",
  }),
  inHead({
    id: "http1/client-cut-behind-interim",
    title: "The client rejects an interim response without a final one.",
    text: "HTTP/1.1 100 Continue\r\n\r\n",
  }),
];
