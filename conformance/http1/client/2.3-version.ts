import type { Case, Text } from "../vocabulary.ts";
import { accepts, answer, CONTENT, orFails, recovered, rejects, whole } from "./phrases.ts";

/** RFC 9112, section 2.3: the version in a status line. */

const inVersion = (version: Text, status = "200 OK"): Text =>
  `${version} ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${CONTENT.length}\r\n\r\n${CONTENT}`;

const noVersion = (id: Case["id"], title: string, version: Text): Case =>
  rejects({ id, spec: "rfc9112#2.3", covers: ["rfc9112#2.3/version-case"], title, text: inVersion(version), others: [recovered()] });

export const cases: readonly Case[] = [
  accepts({
    id: "http1/client-version-older",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.1/format"],
    title: "A response of HTTP/1.0 is taken.",
    right: whole(),
    text: inVersion("HTTP/1.0"),
    close: "end",
  }),
  accepts({
    id: "http1/client-version-higher-minor",
    spec: "rfc9110#6.2",
    covers: ["rfc9110#6.2/higher-minor"],
    level: "SHOULD",
    title: "A response in a higher minor version is read as one of HTTP/1.1.",
    text: inVersion("HTTP/1.2"),
    others: [orFails("rfc9110#6.2", "warn")],
    control: [answer(whole())],
  }),
  noVersion("http1/client-version-lower-case", "A status line that begins with http in lower case names no version of HTTP.", "http/1.1"),
  noVersion("http1/client-version-comma", "Major and minor version are divided by a dot, not by a comma.", "HTTP/1,1"),
  noVersion("http1/client-version-two-digits", "A minor version of two digits is no version of HTTP.", "HTTP/1.11"),
  noVersion("http1/client-version-letters", "Letters behind the version make it none.", "HTTP/1.1x"),
  noVersion("http1/client-version-no-slash", "A version without its slash is none.", "HTTP1.1"),
  noVersion("http1/client-version-space", "White space inside the version makes it none.", "HTTP /1.1"),
  noVersion("http1/client-version-other-name", "A version of another protocol is no version of HTTP.", "ICY/1.1"),
];
