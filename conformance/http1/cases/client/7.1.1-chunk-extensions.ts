import type { Case, Text } from "../../vocabulary.ts";
import { accepts, answer, CHUNKS, CONTENT, inChunks, LAST } from "./phrases.ts";

/** RFC 9112, section 7.1.1: chunk extensions, which a client ignores unless it knows them. */

const ignored = ({
  extension,
  last = LAST,
  ...entry
}: Pick<Case, "id" | "title"> & Partial<Pick<Case, "covers">> & { readonly extension: Text; readonly last?: Text }): Case =>
  accepts({
    spec: "rfc9112#7.1.1",
    covers: ["rfc9112#7.1.1/ignored"],
    text: inChunks(`a${extension}\r\n${CONTENT}\r\n${last}`),
    control: [answer(inChunks(CHUNKS))],
    ...entry,
  });

export const cases: readonly Case[] = [
  ignored({ id: "http1/client-chunk-extension", title: "The client ignores an unknown chunk extension.", extension: ";odd" }),
  ignored({
    id: "http1/client-chunk-extension-value",
    title: "The client ignores chunk extensions with values.",
    extension: ";odd=1;other=two",
  }),
  ignored({
    id: "http1/client-chunk-extension-quoted",
    title: "The client ignores an extension whose quoted value holds semicolons, escapes and what looks like a size.",
    extension: ';odd="a;b \\" 0";other',
  }),
  ignored({
    id: "http1/client-chunk-extension-spaces",
    title: "The client ignores whitespace around the parts of a chunk extension.",
    extension: " ; odd = 1",
    covers: ["rfc9112#7.1.1/ignored", "rfc9110#5.6.3/bws"],
  }),
  ignored({
    id: "http1/client-last-chunk-extension",
    title: "The client ignores an extension of the last chunk.",
    extension: "",
    last: "0;odd=1\r\n\r\n",
  }),
  ignored({
    id: "http1/client-chunk-extension-long",
    title: "The client ignores a chunk extension of 1,000 octets.",
    extension: `;odd=${"a".repeat(1000)}`,
  }),
];
