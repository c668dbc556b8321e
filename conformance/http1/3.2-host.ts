import { accepted, badRequest, head, send, texts } from "./phrases.ts";
import type { Case, Text } from "./vocabulary.ts";

const line = "GET {path} HTTP/1.1";
const host = "Host: {authority}";

/** A request whose Host is wrong, beside the same with a good one. */
const wrong = (id: Case["id"], requirement: string, title: string, text: Text, right: Text = head(line, host)): Case => ({
  id,
  spec: "rfc9112#3.2",
  covers: [`rfc9112#3.2/${requirement}`],
  level: "MUST",
  title,
  ...texts(text, right),
  allowed: badRequest(),
});

export const cases: readonly Case[] = [
  wrong("http1/host-missing", "host-missing", "The server answers 400 to a request of HTTP/1.1 without Host.", head(line)),
  wrong(
    "http1/host-twice",
    "host-repeated",
    "The server answers 400 to a request with two Host lines, even if they agree.",
    head(line, host, host),
  ),
  {
    id: "http1/host-name-in-any-case",
    spec: "rfc9112#3.2",
    covers: ["rfc9112#3.2/host-missing"],
    level: "MUST",
    role: "server",
    title: "The server knows Host in whatever case its name is written.",
    steps: [send(head(line, "hOST: {authority}"))],
    control: [send(head(line, host))],
    allowed: accepted,
  },
];
