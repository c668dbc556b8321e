import type { Case, Text } from "../vocabulary.ts";
import { answer, CHUNKS, CONTENT, inChunks, LAST, taken } from "./phrases.ts";

const ignored = (id: Case["id"], title: string, extension: Text, last: Text = LAST): Case => ({
  ...taken({
    id,
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/ignored"],
    title,
    text: inChunks(`a${extension}\r\n${CONTENT}\r\n${last}`),
  }),
  control: [answer(inChunks(CHUNKS))],
});

export const cases: readonly Case[] = [
  ignored("http1/client-chunk-extension", "A chunk extension that is not known is ignored.", ";odd"),
  ignored("http1/client-chunk-extension-value", "So is one with a value, and one behind another.", ";odd=1;other=two"),
  ignored(
    "http1/client-chunk-extension-quoted",
    "A quoted value may hold semicolons, escapes and what looks like a size.",
    ';odd="a;b \\" 0";other',
  ),
  {
    ...ignored("http1/client-chunk-extension-spaces", "White space around the parts of an extension is read over.", " ; odd = 1"),
    covers: ["rfc9112#7.1.1/ignored", "rfc9110#5.6.3/bws"],
  },
  ignored("http1/client-last-chunk-extension", "The last chunk may have extensions.", "", "0;odd=1\r\n\r\n"),
  ignored("http1/client-chunk-extension-long", "An extension of 1,000 octets is ignored like any other.", `;odd=${"a".repeat(1000)}`),
];
