import type { Case, Outcome, Text } from "../vocabulary.ts";
import { chunk, CHUNKS, CONTENT, failed, inChunks, ok, orTook, whole } from "./phrases.ts";

const spec = "rfc9112#8";
const length = ok("Content-Length: 20");

/** Cut off, in order or by a reset. */
const cut = (
  id: Case["id"],
  title: string,
  requirement: Case["covers"][0],
  text: Text,
  more: { readonly right?: Text; readonly close?: "reset" } = {},
  ...others: readonly Outcome[]
): Case => failed({ id, spec, covers: [requirement, "rfc9112#8/recorded"], title, text, ...more }, ...others);

const inHead = (id: Case["id"], title: string, text: Text, close?: "reset"): Case =>
  failed({ id, spec, covers: ["rfc9112#8/header-cut", "rfc9112#8/recorded"], title, text, ...(close === undefined ? {} : { close }) });

const chunked = { right: inChunks(CHUNKS) } as const;

export const cases: readonly Case[] = [
  cut(
    "http1/client-length-short",
    "Content with fewer octets than its length is incomplete, and the client says so.",
    "rfc9112#8/length-incomplete",
    `${length}${CONTENT}`,
  ),
  cut("http1/client-length-short-by-one", "One octet that is missing makes it incomplete.", "rfc9112#6.3/short", whole().slice(0, -1)),
  cut(
    "http1/client-length-short-of-all",
    "A head without any of the content that it announces is incomplete.",
    "rfc9112#8/length-incomplete",
    length,
  ),
  cut(
    "http1/client-length-short-reset",
    "Content that a reset cuts off is incomplete.",
    "rfc9112#8/length-incomplete",
    `${length}${CONTENT}`,
    { close: "reset" },
  ),
  cut(
    "http1/client-until-close-reset",
    "Content that the end of the connection delimits is not whole when the connection breaks.",
    "rfc9112#8/recorded",
    `${ok()}${CONTENT}`,
    {
      close: "reset",
      right: `${ok()}${CONTENT}`,
    },
  ),
  cut(
    "http1/client-chunks-without-the-last",
    "Chunks without the last one are incomplete.",
    "rfc9112#8/chunked-incomplete",
    inChunks(chunk(CONTENT)),
    chunked,
  ),
  cut(
    "http1/client-chunks-reset",
    "Chunks that a reset cuts off are incomplete.",
    "rfc9112#8/chunked-incomplete",
    inChunks(chunk(CONTENT)),
    { ...chunked, close: "reset" },
  ),
  cut(
    "http1/client-chunk-cut-in-data",
    "A chunk that ends before its size is incomplete.",
    "rfc9112#8/chunked-incomplete",
    inChunks("a\r\ntouch"),
    chunked,
  ),
  cut(
    "http1/client-chunk-cut-in-size",
    "A chunk that ends within its first line is incomplete.",
    "rfc9112#8/chunked-incomplete",
    inChunks(`${chunk("touch")}5`),
    chunked,
  ),
  cut(
    "http1/client-chunk-cut-behind-data",
    "A chunk that ends before its line end is incomplete.",
    "rfc9112#8/chunked-incomplete",
    inChunks(`a\r\n${CONTENT}`),
    chunked,
  ),
  cut(
    "http1/client-chunks-none",
    "A head that announces chunks, and none of them, is incomplete.",
    "rfc9112#8/chunked-incomplete",
    inChunks(""),
    chunked,
  ),
  cut(
    "http1/client-last-chunk-cut",
    "Behind the last chunk an empty line is due; where only that is missing, all of the content is there.",
    "rfc9112#7.1/decode",
    inChunks(`${chunk(CONTENT)}0\r\n`),
    chunked,
    orTook("rfc9112#8"),
  ),
  cut(
    "http1/client-trailers-cut",
    "Trailers that are cut off make the response incomplete, though its content is there.",
    "rfc9112#7.1/decode",
    inChunks(`${chunk(CONTENT)}0\r\nX-Odd: a`),
    chunked,
    orTook("rfc9112#8"),
  ),
  inHead("http1/client-no-response", "A connection that ends without an octet has answered nothing.", ""),
  inHead("http1/client-cut-in-status-line", "A response that ends within its status line is none.", "HTTP/1.1 20"),
  inHead("http1/client-cut-behind-status-line", "A response that ends behind its status line is none.", "HTTP/1.1 200 OK\r\n"),
  inHead(
    "http1/client-cut-in-field",
    "A response that ends within a field is none: here a Content-Length, of which a digit is missing.",
    "HTTP/1.1 200 OK\r\nContent-Length: 0",
  ),
  inHead(
    "http1/client-cut-before-the-empty-line",
    "A head without its empty line is not whole.",
    "HTTP/1.1 204 No Content\r\nX-Odd: 1\r\n",
  ),
  inHead(
    "http1/client-cut-in-head-reset",
    "A head that a reset cuts off is not whole.",
    "HTTP/1.1 204 No Content\r\nX-Odd: 1\r\n",
    "reset",
  ),
  inHead(
    "http1/client-cut-behind-interim",
    "A connection that ends behind an interim response has answered nothing.",
    "HTTP/1.1 100 Continue\r\n\r\n",
  ),
];
