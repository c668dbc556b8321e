import { permitted } from "../phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";
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
  nowhere(
    "http1/client-redirect-without-location",
    "The client uses the content of a redirect without Location.",
    redirection("302 Found"),
  ),
  nowhere(
    "http1/client-redirect-unknown",
    "The client does not follow an unknown 3xx status without Location.",
    redirection("399 Whatever"),
  ),
  nowhere("http1/client-300", "The client uses the content of a 300 that names no preferred choice.", redirection("300 Multiple Choices")),
  {
    id: "http1/client-redirect-whole",
    spec: "rfc9110#15",
    covers,
    level: "MUST",
    role: "client",
    needs: ["status", "output"],
    title: "The client reads a redirect to its end, and uses its content or that of its target.",
    steps: [answer(redirection("302 Found", "Location: /second")), answer(whole(SECOND), { nth: 2 })],
    control: [answer(whole())],
    allowed: [
      { see: { see: "all", of: [prints(), { see: "requests", count: 1 }] } },
      permitted({ see: "all", of: [prints(SECOND), { see: "request", nth: 2, target: "^/second$" }] }, "rfc9110#15"),
      permitted({ see: "all", of: [fails, { see: "requests", count: 1 }] }, "rfc9110#15"),
    ],
  },
  {
    id: "http1/client-redirect-307-keeps-the-method",
    spec: "rfc9110#15.4.8",
    covers: ["rfc9110#15.4.8/method-kept"],
    level: "MUST NOT",
    role: "client",
    needs: ["post"],
    ask: { method: "POST" },
    title: "A client that follows a 307 to a POST follows it by POST.",
    steps: [answer(redirection("307 Temporary Redirect", "Location: /second")), answer(whole(SECOND), { nth: 2 })],
    control: [answer(whole())],
    allowed: [
      { see: { see: "request", nth: 2, method: "POST" } },
      // Following it is optional.
      permitted({ see: "requests", count: 1 }, "rfc9110#15.4"),
    ],
  },
];
