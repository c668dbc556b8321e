import { answered, awaitResponse, get, head, NOWHERE, permitted, refusedWith, request, send, servedWith } from "../phrases.ts";
import type { Case, Sight, Step } from "../../vocabulary.ts";

/** RFC 9112, section 4, and RFC 9110: properties of every response, whatever the request. */

/** What every server can send: a page, the response to HEAD, and the response to a missing path. */
const plain: readonly Step[] = [send(get()), awaitResponse(1), send(request("HEAD")), awaitResponse(2), send(NOWHERE), awaitResponse(3)];
/** An error response: servers often write it with other code than their pages. */
const refusal: readonly Step[] = [send(head("GET {path} HTTP/1.1", "Host: {authority}", "X-Odd : 1"))];

type Property = {
  readonly id: string;
  readonly monitor: string;
  readonly spec: Case["spec"];
  readonly covers: Case["covers"];
  readonly level?: Case["level"];
  /** What holds, as a clause after "In every response" or "In an error response". */
  readonly rule: string;
  /** Error responses are not asked for: many have no content. */
  readonly ofPages?: true;
};

const PROPERTIES: readonly Property[] = [
  {
    id: "status-line",
    monitor: "valid status line",
    spec: "rfc9112#4",
    covers: ["rfc9112#4/status-line", "rfc9112#4/three-digits", "rfc9112#4/space-without-reason", "rfc9112#4/reason-octets"],
    rule: "the status line is a version, three digits and a reason phrase, separated by single spaces",
  },
  {
    id: "version",
    monitor: "version HTTP/1.1 in responses",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/version-sent", "rfc9110#6.2/server-version", "rfc9110#6.2/server-version-limit", "rfc9112#2.3/downgrade-rare"],
    level: "SHOULD",
    rule: "the version is HTTP/1.1",
  },
  {
    id: "fields",
    monitor: "valid field lines",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token", "rfc9112#5.2/fold-sent"],
    rule: "every field line is a token, a colon and a value without control characters, all on one line",
  },
  {
    id: "line-ends",
    monitor: "lines end in CRLF",
    spec: "rfc9112#2.1",
    covers: ["rfc9112#2.1/format", "rfc9112#2.2/bare-cr-sent"],
    rule: "all lines end in CRLF, and no CR appears elsewhere",
  },
  {
    id: "framing",
    monitor: "unambiguous framing",
    spec: "rfc9112#6.2",
    covers: ["rfc9112#6.2/no-length-with-coding"],
    level: "MUST NOT",
    rule: "Content-Length and Transfer-Encoding do not appear together or more than once",
  },
  {
    id: "coding",
    monitor: "no transfer coding but chunked",
    spec: "rfc9112#7.4",
    covers: ["rfc9112#7.4/absent"],
    level: "MUST NOT",
    rule: "there is no transfer coding but chunked, since the client requested none",
  },
  {
    id: "chunks",
    monitor: "chunked syntax",
    spec: "rfc9112#7.1",
    covers: ["rfc9110#2.2/grammar"],
    level: "MUST NOT",
    rule: "chunks that break the grammar do not appear",
    ofPages: true,
  },
  {
    id: "nothing-between",
    monitor: "no octets between responses",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    rule: "no octets follow the content but the next response",
  },
  {
    id: "date",
    monitor: "Date present",
    spec: "rfc9110#6.6.1",
    covers: ["rfc9110#6.6.1/origin-sends"],
    rule: "a 2xx, 3xx or 4xx status comes with a Date",
  },
  {
    id: "date-form",
    monitor: "dates in IMF-fixdate",
    spec: "rfc9110#5.6.7",
    covers: ["rfc9110#5.6.7/imf-sent", "rfc9110#5.6.7/date-whitespace"],
    rule: "dates have the IMF-fixdate form, with a four-digit year and in GMT",
  },
  {
    id: "date-of-now",
    monitor: "accurate Date",
    spec: "rfc9110#6.6.1",
    covers: ["rfc9110#6.6.1/accurate"],
    level: "SHOULD",
    rule: "the Date is the current time",
  },
  {
    id: "single-fields",
    monitor: "singleton fields once",
    spec: "rfc9110#5.3",
    covers: ["rfc9110#5.3/single-line"],
    level: "MUST NOT",
    rule: "no field with a single value appears twice",
  },
  {
    id: "close-announced",
    monitor: "close announced",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/server-without", "rfc9112#9.6/close-announced"],
    level: "SHOULD",
    rule: "Connection: close announces the end of the connection",
  },
  {
    id: "close-kept",
    monitor: "nothing after close",
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/own-close", "rfc9112#9.6/own-close-ignores-rest"],
    level: "MUST NOT",
    rule: "Connection: close is the last thing that the server sends on the connection",
  },
];

const held = (monitor: string): Sight => ({ see: "holds", monitor });

const refusalCase = ({ id, monitor, spec, covers, level = "MUST", rule }: Property): Case => ({
  id: `http1/refusal-${id}`,
  spec,
  covers,
  level,
  role: "server",
  needs: ["refusal"],
  title: `In an error response, ${rule}.`,
  steps: refusal,
  control: [send(get("X-Odd: 1"))],
  allowed: [
    { see: { see: "all", of: [refusedWith(["4xx", 501, 505]), held(monitor)] } },
    permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
  ],
});

export const cases: readonly Case[] = PROPERTIES.flatMap(({ id, monitor, spec, covers, level = "MUST", rule, ofPages }): Case[] => [
  {
    id: `http1/response-${id}`,
    spec,
    covers,
    level,
    role: "server",
    needs: ["keep-alive"],
    title: `In every response, ${rule}.`,
    steps: plain,
    control: plain,
    // A server may close the connection after the response to a missing path.
    allowed: [
      { see: servedWith(4, held(monitor)) },
      permitted(
        {
          see: "all",
          of: [answered(3, { status: ["4xx"] }), { see: "connection closed" }, { see: "not", of: answered(4) }, held(monitor)],
        },
        "rfc9112#9.5",
      ),
    ],
  },
  ...(ofPages === true ? [] : [refusalCase({ id, monitor, spec, covers, level, rule })]),
]);
