import { permitted } from "../phrases.ts";
import type { Case, Outcome, Text } from "../../vocabulary.ts";
import { accepts, answer, chunk, CHUNKS, CONTENT, fails, inChunks, orFails, orGivesUp, printsBoth, TWICE, twice } from "./phrases.ts";

/** RFC 9112, section 7.1.2, and RFC 9110, section 6.5: the trailer section of a response. */

const withTrailers = (...fields: readonly Text[]): Text =>
  inChunks(`${chunk(CONTENT)}0\r\n${fields.join("\r\n")}\r\n\r\n`, "Trailer: X-Odd");

/** The client accepts the response; `others` where a server must not send such a trailer field. */
const read = ({
  fields,
  ...entry
}: Pick<Case, "id" | "title" | "covers"> & { readonly fields: readonly Text[]; readonly others?: readonly Outcome[] }): Case =>
  accepts({ ...entry, spec: "rfc9112#7.1.2", text: withTrailers(...fields), control: [answer(inChunks(CHUNKS))] });

export const cases: readonly Case[] = [
  read({
    id: "http1/client-trailers",
    title: "The client does not print trailer fields as content.",
    covers: ["rfc9112#7.1.2/kept-or-dropped", "rfc9112#7.1.2/separate"],
    fields: ["X-Odd: 1", "X-Other: 2"],
  }),
  read({
    id: "http1/client-trailer-length",
    title: "The client does not use Content-Length from the trailer section.",
    covers: ["rfc9112#7.1.2/not-merged"],
    fields: ["X-Odd: 1", "Content-Length: 3"],
    others: [orFails("rfc9110#6.5.1"), orGivesUp],
  }),
  read({
    id: "http1/client-trailer-coding",
    title: "The client does not use Transfer-Encoding from the trailer section.",
    covers: ["rfc9112#7.1.2/not-merged"],
    fields: ["X-Odd: 1", "Transfer-Encoding: x-odd"],
    others: [orFails("rfc9110#6.5.1"), orGivesUp],
  }),
  {
    id: "http1/client-trailer-of-the-one-before",
    spec: "rfc9110#6.5.1",
    covers: ["rfc9110#6.5.1/not-merged"],
    level: "MUST NOT",
    role: "client",
    needs: ["second", "output"],
    ask: TWICE,
    title: "The client does not use a Content-Length from the trailers of one response for the next.",
    steps: [answer(withTrailers("X-Odd: 1", "Content-Length: 3")), answer(inChunks(`${chunk("again")}0\r\n\r\n`), { nth: 2 })],
    control: twice(inChunks(CHUNKS)),
    allowed: [{ see: printsBoth() }, permitted(fails, "rfc9110#6.5.1"), orGivesUp],
  },
  accepts({
    id: "http1/client-trailers-by-the-thousand",
    spec: "rfc9110#17.5",
    covers: ["rfc9110#17.5/limits"],
    level: "SHOULD",
    title: "The client accepts, drops or rejects ten thousand trailer fields, and exits.",
    text: withTrailers(...Array.from({ length: 10_000 }, (_, at) => `X-${at}: a`)),
    close: "end",
    others: [orFails("rfc9110#17.5")],
    control: [answer(inChunks(CHUNKS), { close: "end" })],
  }),
];
