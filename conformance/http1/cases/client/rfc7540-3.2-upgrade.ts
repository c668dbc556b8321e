import type { Case, Sight, Text } from "../../vocabulary.ts";
import { accepts, answer, CONTENT, lastAnswer, prints, whole } from "./phrases.ts";

/** RFC 7540, section 3.2, and RFC 9110, section 7.8: a client that offers h2c with its request, and the server that agrees. */

const spec = "rfc7540#3.2";
const AGREED: Text = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
/** An empty SETTINGS; on stream 1 the status 200, by its index in the static table, and the content. */
const SETTINGS: Text = "\0\0\0\x04\0\0\0\0\0";
const HEADERS: Text = "\0\0\x01\x01\x04\0\0\0\x01\x88";
const DATA: Text = `\0\0\x0a\0\x01\0\0\0\x01${CONTENT}`;
const HTTP2: Text = SETTINGS + HEADERS + DATA;

const offer = (name: string, pattern: string): Sight => ({ see: "request", fields: [{ name, pattern, joined: true }] });
/** The client's preface reads as a request of another version. */
const preface: Sight = { see: "request", nth: 2, method: "PRI", target: "^\\*$", version: "HTTP/2.0" };

const upgraded = (
  entry: Pick<Case, "id" | "title" | "covers"> &
    Partial<Pick<Case, "level">> & { readonly text?: Text; readonly cut?: number; readonly allowed?: Case["allowed"] },
): Case =>
  accepts({
    spec,
    needs: ["h2c", "clear"],
    text: AGREED + HTTP2,
    control: [answer(whole())],
    ...entry,
  });

export const cases: readonly Case[] = [
  upgraded({
    id: "http1/client-upgrade-h2c",
    covers: ["rfc7540#3.2/client-preface", "rfc7540#3.2/101", "rfc7540#3.2/response-on-stream-1", "rfc9110#7.8/request-answered"],
    title: "The client that offered h2c reads the response to its request from stream 1.",
  }),
  upgraded({
    id: "http1/client-upgrade-h2c-octet-by-octet",
    covers: ["rfc7540#3.2/client-preface", "rfc7540#3.2/101", "rfc7540#3.2/response-on-stream-1"],
    title: "The client finds the first HTTP/2 frame directly after 101, octet by octet.",
    cut: 1,
  }),
  upgraded({
    id: "http1/client-upgrade-h2c-name-in-upper-case",
    covers: ["rfc9110#7.8/name-case"],
    level: "SHOULD",
    title: "The client compares the name of the protocol without regard to case.",
    text: AGREED.replace("h2c", "H2C") + HTTP2,
  }),
  upgraded({
    id: "http1/client-upgrade-h2c-after-early-hints",
    covers: ["rfc9110#15.2/client-parses", "rfc7540#3.2/101"],
    title: "The client accepts interim responses before 101.",
    text: `HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n${AGREED}${HTTP2}`,
  }),
  upgraded({
    id: "http1/client-upgrade-h2c-preface",
    covers: ["rfc7540#3.2/client-preface"],
    title: "The client sends the preface of HTTP/2 after 101.",
    allowed: [{ see: { see: "all", of: [preface, prints()] } }],
  }),
  {
    id: "http1/client-upgrade-h2c-declined",
    spec: "rfc9110#7.8",
    covers: ["rfc9112#6.3/length"],
    level: "MUST",
    role: "client",
    needs: ["h2c", "clear", "output"],
    title: "The client accepts a response in HTTP/1.1 from a server that ignores its offer.",
    steps: [lastAnswer(whole(CONTENT, "Connection: close"))],
    control: [answer(whole())],
    allowed: [{ see: prints() }],
  },
  {
    id: "http1/client-upgrade-h2c-offer",
    spec: "rfc7540#3.2.1",
    covers: ["rfc7540#3.2/one-settings-field", "rfc7540#3.2.1/base64url", "rfc7540#3.2.1/connection-option", "rfc9110#7.8/option"],
    level: "MUST",
    role: "client",
    needs: ["h2c", "clear"],
    title: "The client offers h2c with one HTTP2-Settings in base64url, and lists both fields in Connection.",
    steps: [answer(whole())],
    control: [answer(whole())],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            offer("HTTP2-Settings", "^(?:[A-Za-z0-9_-]{8})*$"),
            offer("Connection", "\\bupgrade\\b"),
            offer("Connection", "\\bhttp2-settings\\b"),
          ],
        },
      },
    ],
  },
];
