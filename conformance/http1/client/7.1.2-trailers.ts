import { permitted } from "../phrases.ts";
import type { Case, Text } from "../vocabulary.ts";
import { answer, chunk, CHUNKS, CONTENT, inChunks, orTold, taken, tookBoth, told, TWICE, twice } from "./phrases.ts";

const withTrailers = (...fields: readonly Text[]): Text =>
  inChunks(`${chunk(CONTENT)}0\r\n${fields.join("\r\n")}\r\n\r\n`, "Trailer: X-Odd");

/** Taken; where a trailer field is one that must not be sent, refused as well. */
const read = (id: Case["id"], title: string, requirement: Case["covers"][0], ...fields: readonly Text[]): Case => ({
  ...taken(
    { id, spec: "rfc9112#7.1.2", covers: [requirement], title, text: withTrailers(...fields) },
    ...(requirement.endsWith("/not-merged") ? [orTold("rfc9110#6.5.1")] : []),
  ),
  control: [answer(inChunks(CHUNKS))],
});

export const cases: readonly Case[] = [
  read(
    "http1/client-trailers",
    "Trailer fields behind the last chunk are no content.",
    "rfc9112#7.1.2/kept-or-dropped",
    "X-Odd: 1",
    "X-Other: 2",
  ),
  read(
    "http1/client-trailer-length",
    "A Content-Length among the trailers says nothing about the content.",
    "rfc9112#7.1.2/not-merged",
    "X-Odd: 1",
    "Content-Length: 3",
  ),
  read(
    "http1/client-trailer-coding",
    "A Transfer-Encoding among the trailers begins no content.",
    "rfc9112#7.1.2/not-merged",
    "X-Odd: 1",
    "Transfer-Encoding: x-odd",
  ),
  {
    id: "http1/client-trailer-of-the-one-before",
    spec: "rfc9110#6.5.1",
    covers: ["rfc9110#6.5.1/not-merged"],
    level: "MUST NOT",
    role: "client",
    needs: ["second", "output"],
    ask: TWICE,
    title: "A Content-Length among the trailers of one response is none of the next.",
    steps: [answer(withTrailers("X-Odd: 1", "Content-Length: 3")), answer(inChunks(`${chunk("again")}0\r\n\r\n`), { nth: 2 })],
    control: twice(inChunks(CHUNKS)),
    allowed: [{ see: tookBoth() }, permitted(told, "rfc9110#6.5.1")],
  },
  {
    ...taken(
      {
        id: "http1/client-trailers-by-the-thousand",
        spec: "rfc9110#17.5",
        covers: ["rfc9110#17.5/limits"],
        level: "SHOULD",
        title: "Ten thousand trailer fields are taken, dropped or refused.",
        text: withTrailers(...Array.from({ length: 10_000 }, (_, at) => `X-${at}: a`)),
        close: "end",
      },
      orTold("rfc9110#17.5"),
    ),
    control: [answer(inChunks(CHUNKS), { close: "end" })],
  },
];
