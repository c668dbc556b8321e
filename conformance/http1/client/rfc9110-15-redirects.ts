import { permitted } from "../phrases.ts";
import type { Case, Text } from "../vocabulary.ts";
import { accepts, answer, CONTENT, fails, prints, SECOND, whole } from "./phrases.ts";

/** RFC 9110, section 15.4: redirects, with and without a target. */

const redirection = (line: Text, ...fields: readonly Text[]): Text =>
  [`HTTP/1.1 ${line}`, ...fields, `Content-Length: ${CONTENT.length}`, "", CONTENT].join("\r\n");
const covers: Case["covers"] = ["rfc9110#15/class"];

/** No target: the content is the response. The command may still report a failure. */
const nowhere = (id: Case["id"], title: string, text: Text): Case =>
  accepts({
    id,
    spec: "rfc9110#15",
    covers,
    title,
    text,
    needs: ["status"],
    control: [answer(whole())],
    allowed: [
      { see: { see: "all", of: [prints(), { see: "requests", count: 1 }] } },
      permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9110#15"),
    ],
  });

export const cases: readonly Case[] = [
  nowhere("http1/client-redirect-without-location", "A redirection without Location is a response with content.", redirection("302 Found")),
  nowhere("http1/client-redirect-unknown", "A status of 3xx that is not known leads nowhere by itself.", redirection("399 Whatever")),
  nowhere("http1/client-300", "Several choices and none that is named: the content is the answer.", redirection("300 Multiple Choices")),
  {
    id: "http1/client-redirect-whole",
    spec: "rfc9110#15",
    covers,
    level: "MUST",
    role: "client",
    needs: ["status", "output"],
    title: "A redirection is read to its end, whether or not it is followed: what comes of it is its own content, or that of where it led.",
    steps: [answer(redirection("302 Found", "Location: /second")), answer(whole(SECOND), { nth: 2 })],
    control: [answer(whole())],
    allowed: [
      { see: { see: "all", of: [prints(), { see: "requests", count: 1 }] } },
      permitted({ see: "all", of: [prints(SECOND), { see: "request", nth: 2, target: "^/second$" }] }, "rfc9110#15"),
      permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9110#15"),
    ],
  },
];
