import type { Case } from "../../vocabulary.ts";
import { all, answer, awaitAnswer, not, permitted, request, requests, send } from "./phrases.ts";

/** RFC 9110, sections 9.3.7 and 9.3.8: OPTIONS and TRACE that end at the proxy. */

const traced = (...fields: readonly string[]): string => request("TRACE", ...fields);
/** The proxy allows no TRACE here. */
const refused = permitted(all(answer({ status: ["4xx", "5xx"] }), requests(0)), "rfc9110#15.5.6");
/** It does not end there: other cases judge that (`http1/proxy-max-forwards-of-trace-zero`, `-options-zero`). */
const forwarded = permitted(requests(1), "rfc9110#9.3.8");

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-options-ends-answered",
    spec: "rfc9110#9.3.7",
    covers: ["rfc9110#9.3.7/features"],
    level: "SHOULD",
    role: "proxy",
    title: "The proxy that answers OPTIONS with Max-Forwards: 0 lists what is allowed, or refuses the method.",
    steps: [send(request("OPTIONS", "Max-Forwards: 0")), awaitAnswer],
    control: [send(request("OPTIONS")), awaitAnswer],
    allowed: [
      { see: all(answer({ status: ["2xx"], fields: [{ name: "Allow" }] }), requests(0)) },
      permitted(all(answer({ status: ["4xx", 501] }), requests(0)), "rfc9110#15.5.6"),
      permitted(requests(1), "rfc9110#9.3.7"),
    ],
  },
  {
    id: "http1/proxy-trace-ends-reflected",
    spec: "rfc9110#9.3.8",
    covers: ["rfc9110#9.3.8/reflected"],
    level: "SHOULD",
    role: "proxy",
    needs: ["trace"],
    title: "The proxy that answers TRACE with Max-Forwards: 0 sends the request back as the content of a 200.",
    steps: [send(traced("Max-Forwards: 0", "X-Touchstone: abc")), awaitAnswer],
    control: [send(traced("X-Touchstone: abc")), awaitAnswer],
    allowed: [
      {
        see: all(
          answer({
            status: [200],
            fields: [{ name: "Content-Type", pattern: "^message/http\\b" }],
            bodyPattern: "^TRACE \\S+ HTTP/1\\.1\\r\\n(.*\\r\\n)?X-Touchstone: *abc\\r\\n.*\\r\\n$",
          }),
          answer({ bodyPattern: "\\r\\nHost:" }),
          not(answer({ bodyPattern: "\\r\\nHost:.*\\r\\nHost:" })),
          requests(0),
        ),
      },
      refused,
      forwarded,
    ],
  },
  {
    id: "http1/proxy-trace-ends-without-secrets",
    spec: "rfc9110#9.3.8",
    covers: ["rfc9110#9.3.8/sensitive-excluded"],
    level: "SHOULD",
    role: "proxy",
    needs: ["trace"],
    title: "The proxy that answers TRACE with Max-Forwards: 0 leaves out credentials and cookies.",
    steps: [
      send(traced("Max-Forwards: 0", "Cookie: a=touchstone", "Authorization: Basic touchstone", "Proxy-Authorization: Basic touchstone")),
      awaitAnswer,
    ],
    control: [send(traced()), awaitAnswer],
    allowed: [
      // The path of the case begins with a word like these values, but not with these characters.
      { see: all(answer({ status: ["2xx"] }), not(answer({ bodyPattern: "(=|Basic )touchstone" })), requests(0)) },
      refused,
      forwarded,
    ],
  },
];
