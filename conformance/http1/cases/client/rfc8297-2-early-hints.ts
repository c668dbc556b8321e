import type { Case, Step, Text } from "../../vocabulary.ts";
import { accepts, answer, whole } from "./phrases.ts";

/** RFC 8297: 103 before the final response. */

const hint = (...fields: readonly Text[]): Text => ["HTTP/1.1 103 Early Hints", ...fields, "", ""].join("\r\n");

const unaffected = ({
  before,
  ...entry
}: Pick<Case, "id" | "title" | "spec" | "covers"> & { readonly before: Text; readonly steps?: readonly Step[] }): Case =>
  accepts({ level: "MUST NOT", text: before + whole(), control: [answer(whole())], ...entry });

export const cases: readonly Case[] = [
  unaffected({
    id: "http1/client-early-hints",
    title: "The client does not treat a 103 with links as the final response.",
    spec: "rfc8297#3",
    covers: ["rfc8297#3/not-final"],
    before: hint("Link: </style.css>; rel=preload; as=style", "Link: </script.js>; rel=preload; as=script"),
  }),
  unaffected({
    id: "http1/client-early-hints-twice",
    title: "The client does not treat two 103 responses as final.",
    spec: "rfc8297#3",
    covers: ["rfc8297#3/not-final"],
    before: hint("Link: </a>; rel=preload") + hint("Link: </a>; rel=preload", "Link: </b>; rel=preload"),
  }),
  unaffected({
    id: "http1/client-early-hints-length",
    title: "The client does not use the Content-Length of a 103 for the final response.",
    spec: "rfc8297#2",
    covers: ["rfc8297#2/final-unaffected"],
    before: hint("Content-Length: 3"),
  }),
  unaffected({
    id: "http1/client-early-hints-coding",
    title: "The client does not use the Content-Encoding of a 103 for the final response.",
    spec: "rfc8297#2",
    covers: ["rfc8297#2/final-unaffected"],
    before: hint("Content-Encoding: gzip"),
  }),
  unaffected({
    id: "http1/client-early-hints-location",
    title: "The client does not follow the Location of a 103.",
    spec: "rfc8297#2",
    covers: ["rfc8297#2/final-unaffected"],
    before: hint("Location: /elsewhere"),
  }),
  unaffected({
    id: "http1/client-early-hints-in-twos",
    title: "The client accepts a 103 that arrives two octets at a time.",
    spec: "rfc8297#3",
    covers: ["rfc8297#3/not-final"],
    before: "",
    steps: [answer(hint("Link: </a>; rel=preload") + whole(), { cut: 2 })],
  }),
];
