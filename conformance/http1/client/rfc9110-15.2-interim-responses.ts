import { permitted } from "../phrases.ts";
import type { Case, Text } from "../vocabulary.ts";
import { answer, CHUNKS, EVIL, failed, inChunks, ok, orTold, recovered, taken, told, took, whole } from "./phrases.ts";

const spec = "rfc9110#15.2";
const interim = (line: Text, ...fields: readonly Text[]): Text => [`HTTP/1.1 ${line}`, ...fields, "", ""].join("\r\n");

/** Interim responses before the final one, which is taken as if they were not there. */
const read = (id: Case["id"], title: string, before: Text, more: { readonly cut?: number; readonly final?: Text } = {}): Case => {
  const { final = whole(), cut } = more;
  return {
    ...taken({ id, spec, covers: ["rfc9110#15.2/client-parses"], title, text: before + final, ...(cut === undefined ? {} : { cut }) }),
    control: [answer(whole())],
  };
};

export const cases: readonly Case[] = [
  read("http1/client-100-unasked", "A 100 that nobody expected is read over.", interim("100 Continue")),
  read("http1/client-100-without-reason", "So is one without a reason.", interim("100 ")),
  read("http1/client-102", "A 102 is no final response.", interim("102 Processing")),
  read("http1/client-interim-unknown", "A status of 1xx that is not known is no final response.", interim("199 Whatever", "X-Odd: 1")),
  read(
    "http1/client-interim-chain",
    "One interim response after another is read over.",
    interim("100 Continue") + interim("102 Processing") + interim("103 Early Hints") + interim("100 Continue"),
  ),
  read("http1/client-interim-twenty", "So are twenty.", interim("103 Early Hints", "Link: </style.css>; rel=preload; as=style").repeat(20)),
  read(
    "http1/client-interim-octet-by-octet",
    "Octet by octet they are the same interim responses.",
    interim("100 Continue") + interim("103 Early Hints", "X-Odd: 1"),
    { cut: 1 },
  ),
  read(
    "http1/client-interim-before-chunks",
    "An interim response before one in chunks is read over.",
    interim("103 Early Hints", "Link: </a>; rel=preload"),
    { final: inChunks(CHUNKS) },
  ),
  {
    ...read("http1/client-interim-before-until-close", "Before a response that the end of the connection delimits too.", ""),
    steps: [answer(`${interim("100 Continue")}${ok()}touchstone`, { close: "end" })],
  },
  {
    ...read(
      "http1/client-interim-with-length",
      "The length that an interim response announces is not content.",
      interim("103 Early Hints", "Content-Length: 10"),
    ),
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.2/client-parses"],
  },
  {
    ...read(
      "http1/client-interim-with-coding",
      "Nor is the coding that it announces.",
      interim("103 Early Hints", "Transfer-Encoding: chunked"),
    ),
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.2/client-parses"],
  },
  {
    ...taken(
      {
        id: "http1/client-interim-thousand",
        spec,
        covers: ["rfc9110#15.2/client-parses"],
        title: "A thousand interim responses are read over, or too many; in any case the client comes to its end.",
        text: interim("102 Processing").repeat(1000) + whole(),
        close: "end",
      },
      orTold("rfc9110#17.5"),
    ),
    control: [answer(whole(), { close: "end" })],
  },
  {
    ...taken({
      id: "http1/client-101-unasked",
      spec,
      covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
      title: "A 101 to a request without Upgrade is no final response: it fails, or is read over.",
      text: interim("101 Switching Protocols", "Connection: upgrade", "Upgrade: x-odd") + whole(),
      close: "end",
      needs: ["status"],
    }),
    control: [answer(whole(), { close: "end" })],
    allowed: [{ see: told }, permitted(took(), "rfc9110#15.2")],
  },
  failed({
    id: "http1/client-101-and-another-protocol",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
    title: "What follows a 101 that nobody asked for is no content.",
    text: `${interim("101 Switching Protocols", "Connection: upgrade", "Upgrade: x-odd")}evil`,
  }),
  failed({
    id: "http1/client-101-with-length",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
    title: "Not even when the 101 announces its length.",
    text: `${interim("101 Switching Protocols", "Content-Length: 4")}evil`,
  }),
  failed({
    id: "http1/client-interim-alone",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#8/recorded"],
    title: "An interim response and then the end of the connection is no answer.",
    text: interim("103 Early Hints", "Content-Length: 0"),
  }),
  {
    id: "http1/client-post-100-unasked",
    spec,
    covers: ["rfc9110#15.2/client-parses"],
    level: "MUST",
    role: "client",
    needs: ["post", "output"],
    ask: { method: "POST" },
    title: "A 100 behind the whole of a request with content is read over.",
    steps: [answer(interim("100 Continue") + whole())],
    control: [answer(whole())],
    allowed: [{ see: took() }],
  },
  failed(
    {
      id: "http1/client-interim-like-a-final",
      spec,
      covers: ["rfc9112#4/three-digits"],
      title: "A status that begins like an interim one and has four digits is no interim response.",
      text: interim("1000 Whatever") + whole(),
    },
    recovered(),
  ),
  {
    ...read(
      "http1/client-interim-and-content-in-one",
      "Interim and final responses that come at once are told apart, content and all.",
      interim("100 Continue"),
      { final: whole(EVIL) },
    ),
    allowed: [{ see: took(EVIL) }],
  },
];
