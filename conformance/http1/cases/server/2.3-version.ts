import { get, head, likePath, notHttp, permitted, refusedWith, send, servedWith, texts } from "../phrases.ts";
import type { Case, Sight } from "../../vocabulary.ts";

/** RFC 9112, section 2.3: the version in the request line, and in the response. */

const host = "Host: {authority}";

const noVersion = (id: Case["id"], version: string): Case => ({
  id,
  spec: "rfc9112#2.3",
  covers: ["rfc9112#2.3/version-case"],
  level: "SHOULD",
  title: `The server answers 400 to the invalid version "${version}" and closes the connection.`,
  ...texts({ wrong: head(`GET {path} ${version}`, host), right: get() }),
  allowed: notHttp(1, permitted(refusedWith([505]), "rfc9110#15.6.6")),
});

const ownVersion: Sight = { see: "holds", monitor: "version HTTP/1.1 in responses" };
const otherMajor = (id: Case["id"], version: string): Case => ({
  id,
  spec: "rfc9110#6.2",
  covers: ["rfc9110#6.2/server-version"],
  level: "SHOULD",
  title: `The server answers a request line with ${version} in HTTP/1.1, with 505 or the requested content.`,
  needs: ["clear"],
  ...texts({ wrong: head(`GET {path} ${version}`, host), right: get() }),
  allowed: [
    { see: { see: "all", of: [refusedWith([505]), ownVersion] } },
    permitted({ see: "all", of: [refusedWith([400]), ownVersion] }, "rfc9112#2.2"),
    permitted(servedWith(2, likePath(), ownVersion), "rfc9110#6.2"),
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

/** The name of the protocol, the slash, the dot and the digits, each replaced by the octets beside its own. */
const NEAR: readonly (readonly [words: string, version: string])[] = [
  ["g-for-h", "GTTP/1.1"],
  ["i-for-h", "ITTP/1.1"],
  ["s-for-first-t", "HSTP/1.1"],
  ["u-for-first-t", "HUTP/1.1"],
  ["s-for-second-t", "HTSP/1.1"],
  ["u-for-second-t", "HTUP/1.1"],
  ["o-for-p", "HTTO/1.1"],
  ["q-for-p", "HTTQ/1.1"],
  ["dot-for-slash", "HTTP.1.1"],
  ["zero-for-slash", "HTTP01.1"],
  ["hyphen-for-dot", "HTTP/1-1"],
  ["slash-for-dot", "HTTP/1/1"],
  ["slash-for-minor", "HTTP/1./"],
  ["colon-for-minor", "HTTP/1.:"],
  ["slash-for-major", "HTTP//.1"],
  ["colon-for-major", "HTTP/:.1"],
];

export const cases: readonly Case[] = [
  {
    id: "http1/version-minor-higher",
    spec: "rfc9110#6.2",
    covers: ["rfc9110#6.2/higher-minor"],
    level: "SHOULD",
    title: "The server answers an HTTP/1.2 request like an HTTP/1.1 request.",
    ...texts({ wrong: head("GET {path} HTTP/1.2", host), right: get() }),
    allowed: [{ see: servedWith(2, likePath()) }],
  },
  {
    id: "http1/version-minor-highest",
    spec: "rfc9110#6.2",
    covers: ["rfc9110#6.2/higher-minor"],
    level: "SHOULD",
    title: "The server answers an HTTP/1.9 request like an HTTP/1.1 request.",
    ...texts({ wrong: head("GET {path} HTTP/1.9", host), right: get() }),
    allowed: [{ see: servedWith(2, likePath()) }],
  },
  otherMajor("http1/version-major-2", "HTTP/2.0"),
  otherMajor("http1/version-major-9", "HTTP/9.9"),
  otherMajor("http1/version-major-0", "HTTP/0.1"),
  otherMajor("http1/version-major-2-minor-1", "HTTP/2.1"),
  ...NEAR.map(([words, version]) => noVersion(`http1/version-with-${words}`, version)),
  noVersion("http1/version-in-lower-case", "http/1.1"),
  noVersion("http1/version-in-mixed-case", "Http/1.1"),
  noVersion("http1/version-without-minor", "HTTP/1"),
  noVersion("http1/version-with-two-digits", "HTTP/1.10"),
  noVersion("http1/version-with-leading-zero", "HTTP/01.1"),
  noVersion("http1/version-without-slash", "HTTP 1.1"),
  noVersion("http1/version-with-another-name", "HTTPS/1.1"),
  noVersion("http1/version-with-comma", "HTTP/1,1"),
  noVersion("http1/version-with-letters-behind", "HTTP/1.1x"),
  noVersion("http1/version-with-sign", "HTTP/+1.1"),
  {
    id: "http1/version-missing",
    spec: "rfc9112#3",
    covers: ["rfc9112#2.3/version-case"],
    level: "SHOULD",
    role: "server",
    title: "The server rejects a request line without a version, instead of an HTTP/0.9 response without a status line.",
    steps: [send("GET {path}\r\n\r\n")],
    control: [send(get())],
    allowed: notHttp(),
  },
];
