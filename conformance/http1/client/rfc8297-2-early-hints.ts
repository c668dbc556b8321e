import type { Case, Text } from "../vocabulary.ts";
import { answer, taken, whole } from "./phrases.ts";

const hint = (...fields: readonly Text[]): Text => ["HTTP/1.1 103 Early Hints", ...fields, "", ""].join("\r\n");

const unaffected = (id: Case["id"], title: string, requirement: Case["covers"][0], before: Text, final: Text = whole()): Case => ({
  ...taken({
    id,
    spec: requirement.includes("#3/") ? "rfc8297#3" : "rfc8297#2",
    covers: [requirement],
    level: "MUST NOT",
    title,
    text: before + final,
  }),
  control: [answer(whole())],
});

export const cases: readonly Case[] = [
  unaffected(
    "http1/client-early-hints",
    "A 103 with links is not taken for the final response.",
    "rfc8297#3/not-final",
    hint("Link: </style.css>; rel=preload; as=style", "Link: </script.js>; rel=preload; as=script"),
  ),
  unaffected(
    "http1/client-early-hints-twice",
    "Nor are two of them.",
    "rfc8297#3/not-final",
    hint("Link: </a>; rel=preload") + hint("Link: </a>; rel=preload", "Link: </b>; rel=preload"),
  ),
  unaffected(
    "http1/client-early-hints-length",
    "A Content-Length in a 103 is not that of the final response.",
    "rfc8297#2/final-unaffected",
    hint("Content-Length: 3"),
  ),
  unaffected(
    "http1/client-early-hints-coding",
    "A Content-Encoding in a 103 is not that of the final response.",
    "rfc8297#2/final-unaffected",
    hint("Content-Encoding: gzip"),
  ),
  unaffected(
    "http1/client-early-hints-location",
    "A Location in a 103 leads nowhere.",
    "rfc8297#2/final-unaffected",
    hint("Location: /elsewhere"),
  ),
  {
    ...unaffected("http1/client-early-hints-in-twos", "In pieces of two octets it is the same hint.", "rfc8297#3/not-final", ""),
    steps: [answer(hint("Link: </a>; rel=preload") + whole(), { cut: 2 })],
  },
];
