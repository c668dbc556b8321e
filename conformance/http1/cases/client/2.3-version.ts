import type { Case, Text } from "../../vocabulary.ts";
import { accepts, answer, CONTENT, orFails, recovered, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 2.3: the version in a status line. */

const inVersion = (version: Text, status = "200 OK"): Text =>
  `${version} ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`;

const noVersion = (id: Case["id"], title: string, version: Text): Case =>
  rejects({
    id,
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/version-case"],
    level: "SHOULD",
    title,
    text: inVersion(version),
    others: [recovered()],
  });

export const cases: readonly Case[] = [
  accepts({
    id: "http1/client-version-older",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.1/format"],
    title: "The client accepts an HTTP/1.0 response.",
    right: whole(),
    text: inVersion("HTTP/1.0"),
    close: "end",
  }),
  accepts({
    id: "http1/client-version-higher-minor",
    spec: "rfc9110#6.2",
    covers: ["rfc9110#6.2/higher-minor"],
    level: "SHOULD",
    title: "The client reads a response with a higher minor version as HTTP/1.1.",
    text: inVersion("HTTP/1.2"),
    others: [orFails("rfc9110#6.2", "warn")],
    control: [answer(whole())],
  }),
  noVersion("http1/client-version-lower-case", "The client rejects the version http/1.1 in lower case.", "http/1.1"),
  noVersion("http1/client-version-comma", "The client rejects a version with a comma instead of a dot.", "HTTP/1,1"),
  noVersion("http1/client-version-two-digits", "The client rejects a minor version of two digits.", "HTTP/1.11"),
  noVersion("http1/client-version-letters", "The client rejects a version followed by letters.", "HTTP/1.1x"),
  noVersion("http1/client-version-no-slash", "The client rejects a version without its slash.", "HTTP1.1"),
  noVersion("http1/client-version-space", "The client rejects a version that contains whitespace.", "HTTP /1.1"),
  noVersion("http1/client-version-major-two", "The client rejects a status line of HTTP/2.0, which has none.", "HTTP/2.0"),
  noVersion("http1/client-version-major-nine", "The client rejects a status line with an unknown major version.", "HTTP/9.1"),
  noVersion("http1/client-version-major-zero", "The client rejects a status line of HTTP/0.9, which has none.", "HTTP/0.9"),
  noVersion("http1/client-version-other-name", "The client rejects the version of another protocol.", "ICY/1.1"),
];
