import { permitted } from "../phrases.ts";
import type { Case, Step, Text } from "../../vocabulary.ts";
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
  read({ id: "http1/client-100-unasked", title: "The client ignores a 100 that it did not expect.", before: interim("100 Continue") }),
  read({ id: "http1/client-100-without-reason", title: "The client ignores a 100 without a reason phrase.", before: interim("100 ") }),
  read({ id: "http1/client-102", title: "The client does not treat a 102 as the final response.", before: interim("102 Processing") }),
  read({
    id: "http1/client-interim-unknown",
    title: "The client does not treat an unknown 1xx status as the final response.",
    before: interim("199 Whatever", "X-Odd: 1"),
  }),
  read({
    id: "http1/client-interim-chain",
    title: "The client ignores several interim responses in a row.",
    before: interim("100 Continue") + interim("102 Processing") + interim("103 Early Hints") + interim("100 Continue"),
  }),
  read({
    id: "http1/client-interim-twenty",
    title: "The client ignores twenty interim responses.",
    before: interim("103 Early Hints", "Link: </style.css>; rel=preload; as=style").repeat(20),
  }),
  read({
    id: "http1/client-interim-octet-by-octet",
    title: "The client ignores interim responses that arrive octet by octet.",
    before: interim("100 Continue") + interim("103 Early Hints", "X-Odd: 1"),
    cut: 1,
  }),
  read({
    id: "http1/client-interim-before-chunks",
    title: "The client ignores an interim response before a chunked one.",
    before: interim("103 Early Hints", "Link: </a>; rel=preload"),
    final: inChunks(CHUNKS),
  }),
  read({
    id: "http1/client-interim-before-until-close",
    title: "The client ignores an interim response before one that ends with the connection.",
    before: "",
    steps: [answer(`${interim("100 Continue")}${ok()}touchstone`, { close: "end" })],
  }),
  read({
    id: "http1/client-interim-with-length",
    title: "The client reads no content after an interim response with Content-Length.",
    before: interim("103 Early Hints", "Content-Length: 10"),
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.2/client-parses"],
  }),
  read({
    id: "http1/client-interim-with-coding",
    title: "The client reads no content after an interim response with Transfer-Encoding.",
    before: interim("103 Early Hints", "Transfer-Encoding: chunked"),
    covers: ["rfc9112#6.3/no-body", "rfc9110#15.2/client-parses"],
  }),
  accepts({
    id: "http1/client-interim-thousand",
    spec,
    covers: ["rfc9110#15.2/client-parses"],
    title: "The client accepts or rejects a thousand interim responses, and exits.",
    text: interim("102 Processing").repeat(1000) + whole(),
    close: "end",
    others: [orFails("rfc9110#17.5")],
    control: [answer(whole(), { close: "end" })],
  }),
  accepts({
    id: "http1/client-101-unasked",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
    title: "The client rejects a 101 to a request without Upgrade, or ignores it; it is not final.",
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
    title: "The client does not print what follows an unrequested 101 as content.",
    text: `${interim("101 Switching Protocols", "Connection: upgrade", "Upgrade: x-odd")}evil`,
  }),
  rejects({
    id: "http1/client-101-with-length",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#6.3/no-body"],
    title: "The client does not print what follows an unrequested 101 even if it has Content-Length.",
    text: `${interim("101 Switching Protocols", "Content-Length: 4")}evil`,
  }),
  rejects({
    id: "http1/client-interim-alone",
    spec,
    covers: ["rfc9110#15.2/client-parses", "rfc9112#8/recorded"],
    title: "The client reports an interim response without a final one as a failure.",
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
    title: "The client ignores a 100 after it sent the whole request with content.",
    steps: [answer(interim("100 Continue") + whole())],
    control: [answer(whole())],
    allowed: [{ see: prints() }],
  },
  rejects({
    id: "http1/client-interim-like-a-final",
    spec,
    covers: ["rfc9112#4/three-digits"],
    level: "SHOULD",
    title: "The client rejects a status of four digits that begins like an interim one.",
    text: interim("1000 Whatever") + whole(),
    others: [recovered()],
  }),
  read({
    id: "http1/client-interim-and-content-in-one",
    title: "The client separates interim and final responses that arrive together.",
    before: interim("100 Continue"),
    final: whole(EVIL),
    allowed: [{ see: prints(EVIL) }],
  }),
];
