import { accepted, exchanged, get, head, notHttp, permitted, refusedWith, servedWith, texts } from "../phrases.ts";
import { NOT_TOKEN, NOT_URI, QUERY_CHARACTERS, TOKEN_CHARACTERS, VISIBLE } from "../octet-classes.ts";
import type { Case, Text } from "../../vocabulary.ts";

/** RFC 9112, sections 3 and 5, RFC 9110, section 5.6.2: which octets methods, targets, names and values consist of, one case for each kind. */

const host = "Host: {authority}";

const badName = (id: Case["id"], title: string, line: Text): Case => ({
  id,
  spec: "rfc9112#5",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  title,
  ...texts({ wrong: get(line), right: get("X-Odd: 1") }),
  allowed: notHttp(),
});

const badMethod = ([name, octet, words]: (typeof NOT_TOKEN)[number]): Case => ({
  id: `http1/method-with-${name}`,
  spec: "rfc9112#3.1",
  covers: ["rfc9112#2.2/no-match"],
  level: "SHOULD",
  title: `The server rejects a method that contains ${words}.`,
  ...texts({ wrong: head(`G${octet}T {path} HTTP/1.1`, host), right: get() }),
  allowed: notHttp(),
});

const badTarget = ([name, octet, words]: (typeof NOT_URI)[number]): Case => ({
  id: `http1/target-with-${name}`,
  spec: "rfc9112#3.2",
  covers: ["rfc9112#3.2/invalid-line"],
  level: "SHOULD",
  title: `The server rejects a target that contains ${words}, or redirects to the corrected one.`,
  ...texts({ wrong: head(`GET {path}?a${octet}b HTTP/1.1`, host), right: head("GET {path}?a%20b HTTP/1.1", host) }),
  allowed: [
    { see: refusedWith([400]) },
    permitted(servedWith(2, { see: "response", status: [301] }), "rfc9112#3.2"),
    permitted(refusedWith(["4xx", 501, 505]), "rfc9112#2.2", "warn"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

export const cases: readonly Case[] = [
  ...NOT_TOKEN.map(([name, octet, words]) =>
    badName(`http1/field-name-with-${name}`, `The server answers 400 to a field name that contains ${words}.`, `X${octet}Odd: 1`),
  ),
  badName("http1/field-name-ends-with-octet-85", "The server answers 400 to the octet 0x85 before a colon.", "X-Odd\x85: 1"),
  badName("http1/field-name-ends-with-vertical-tab", "The server answers 400 to a vertical tab before a colon.", "X-Odd\v: 1"),
  badName("http1/field-name-begins-with-brace", "The server answers 400 to a field name that begins with a brace.", "{X-Odd: 1"),
  ...NOT_TOKEN.map(badMethod),
  ...NOT_URI.map(badTarget),
  {
    id: "http1/field-value-of-all-characters",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/obs-text", "rfc9110#2.4/semantics"],
    level: "MUST",
    title: "The server accepts a field value of every visible character.",
    ...exchanged({ wrong: get(`X-Odd: ${VISIBLE} ${VISIBLE}`), right: get("X-Odd: 1") }),
    allowed: accepted,
  },
  {
    id: "http1/method-of-all-characters",
    spec: "rfc9110#9.1",
    covers: ["rfc9110#9.1/unknown-method"],
    level: "SHOULD",
    title: "The server answers 501 to an unknown method that consists of every character of a token.",
    ...texts({ wrong: head(`${TOKEN_CHARACTERS.slice(0, 26)} {path} HTTP/1.1`, host), right: get() }),
    allowed: [
      { see: refusedWith([501]) },
      permitted(refusedWith([405]), "rfc9110#9.1", "warn"),
      permitted(refusedWith(["4xx"]), "rfc9110#9.1", "warn"),
    ],
  },
  {
    id: "http1/target-of-all-characters",
    spec: "rfc9112#3.2.1",
    covers: ["rfc9112#3.3/path"],
    level: "MUST",
    title: "The server accepts a query that contains every character of a query.",
    ...exchanged({ wrong: head(`GET {path}?${QUERY_CHARACTERS} HTTP/1.1`, host), right: head("GET {path}?a HTTP/1.1", host) }),
    allowed: accepted,
  },
];
