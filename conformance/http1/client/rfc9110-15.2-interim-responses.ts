import { permitted } from "../phrases.ts";
import type { Case, Step, Text } from "../vocabulary.ts";
import { accepts, answer, CHUNKS, EVIL, fails, inChunks, ok, orFails, prints, recovered, rejects, whole } from "./phrases.ts";

/** RFC 9110, section 15.2: interim responses that the client did not ask for. */

const spec = "rfc9110#15.2";
const interim = (line: Text, ...fields: readonly Text[]): Text => [`HTTP/1.1 ${line}`, ...fields, "", ""].join("\r\n");

/** Interim responses before the final one: the client reads the final one as if they were absent. */
const read = ({
  before,
  final = whole(),
  ...entry
}: Pick<Case, "id" | "title"> &
  Partial<Pick<Case, "covers" | "allowed">> & {
    readonly before: Text;
    readonly final?: Text;
    readonly cut?: number;
    readonly steps?: readonly Step[];
  }): Case => accepts({ spec, covers: ["rfc9110#15.2/client-parses"], text: before + final, control: [answer(whole())], ...entry });

export const cases: readonly Case[] = [
  read({ id: "http1/client-100-unasked", title: "A 100 that nobody expected is read over.", before: interim("100 Continue") }),
  read({ id: "http1/client-100-without-reason", title: "So is one without a reason.", before: interim("100 ") }),
  read({ id: "http1/client-102", title: "A 102 is no final response.", before: interim("102 Processing") }),
  read({
    id: "http1/client-interim-unknown",
    title: "A status of 1xx that is not known is no final response.",
    before: interim("199 Whatever", "X-Odd: 1"),
  }),
  read({
    id: "http1/client-interim-chain",
    title: "One interim response after another is read over.",
    before: interim("100 Continue") + interim("102 Processing") + interim("103 Early Hints") + interim("100 Continue"),
  }),
  read({
    id: "http1/client-interim-twenty",
    title: "So are twenty.",
    before: interim("103 Early Hints", "Link: </style.css>; rel=preload; as=style").repeat(20),
  }),
  read({
    id: "http1/client-interim-octet-by-octet",
    title: "Octet by octet they are the same interim responses.",
    before: interim("100 Continue") + interim("103 Early Hints", "X-Odd: 1"),
    cut: 1,
  }),
  read({
    id: "http1/client-interim-before-chunks",
    title: "An interim response before one in chunks is read over.",
    before: interim("103 Early Hints", "Link: </a>; rel=preload"),
    final: inChunks(CHUNKS),
  }),
  read({
    id: "http1/client-interim-before-until-close",
    title: "Before a response that the end of the connection delimits too.",
    before: "",
    steps: [answer(`${interim("100 Continue")}${ok()}touchstone`, { close: "end" })],
  }),
  read({
    id: "http1/client-interim-with-length",
    title: "The length that an interim response announces is not content.",
    before: interim("103 Early Hints", "Content-Length: 10"),
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.2/client-parses"],
  }),
  read({
    id: "http1/client-interim-with-coding",
    title: "Nor is the coding that it announces.",
    before: interim("103 Early Hints", "Transfer-Encoding: chunked"),
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.2/client-parses"],
  }),
  accepts({
    id: "http1/client-interim-thousand",
    spec,
    covers: ["rfc9110#15.2/client-parses"],
    title: "A thousand interim responses are read over, or too many; in any case the client comes to its end.",
    text: interim("102 Processing").repeat(1000) + whole(),
    close: "end",
    others: [orFails("rfc9110#17.5")],
    control: [answer(whole(), { close: "end" })],
  }),
  accepts({
    id: "http1/client-101-unasked",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
    title: "A 101 to a request without Upgrade is no final response: it fails, or is read over.",
    text: interim("101 Switching Protocols", "Connection: upgrade", "Upgrade: x-odd") + whole(),
    close: "end",
    needs: ["status"],
    control: [answer(whole(), { close: "end" })],
    allowed: [{ see: fails }, permitted(prints(), "rfc9110#15.2")],
  }),
  rejects({
    id: "http1/client-101-and-another-protocol",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
    title: "What follows a 101 that nobody asked for is no content.",
    text: `${interim("101 Switching Protocols", "Connection: upgrade", "Upgrade: x-odd")}evil`,
  }),
  rejects({
    id: "http1/client-101-with-length",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
    title: "Not even when the 101 announces its length.",
    text: `${interim("101 Switching Protocols", "Content-Length: 4")}evil`,
  }),
  rejects({
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
    allowed: [{ see: prints() }],
  },
  rejects({
    id: "http1/client-interim-like-a-final",
    spec,
    covers: ["rfc9112#4/three-digits"],
    title: "A status that begins like an interim one and has four digits is no interim response.",
    text: interim("1000 Whatever") + whole(),
    others: [recovered()],
  }),
  read({
    id: "http1/client-interim-and-content-in-one",
    title: "Interim and final responses that come at once are fails apart, content and all.",
    before: interim("100 Continue"),
    final: whole(EVIL),
    allowed: [{ see: prints(EVIL) }],
  }),
];
