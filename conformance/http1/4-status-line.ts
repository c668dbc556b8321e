import { answered, awaitResponse, get, head, NOWHERE, permitted, refusedWith, request, send, servedWith } from "./phrases.ts";
import type { Case, Sight, Step } from "./vocabulary.ts";

/** What every server sends anyway: a page, what is not there, and the answer to HEAD. */
const plain: readonly Step[] = [send(get()), awaitResponse(1), send(request("HEAD")), awaitResponse(2), send(NOWHERE), awaitResponse(3)];
/** A refusal: servers write it in another place than their pages. */
const refusal: readonly Step[] = [send(head("GET {path} HTTP/1.1", "Host: {authority}", "X-Odd : 1"))];

type Property = {
  readonly id: string;
  readonly monitor: string;
  readonly spec: Case["spec"];
  readonly covers: Case["covers"];
  readonly level?: Case["level"];
  readonly title: string;
};

const PROPERTIES: readonly Property[] = [
  {
    id: "status-line",
    monitor: "valid status line",
    spec: "rfc9112#4",
    covers: ["rfc9112#4/status-line", "rfc9112#4/three-digits", "rfc9112#4/space-without-reason", "rfc9112#4/reason-octets"],
    title: "A status line is a version, three digits and a reason, with a space between each.",
  },
  {
    id: "version",
    monitor: "version HTTP/1.1 in responses",
    spec: "rfc9112#2.3",
    covers: ["rfc9112#2.3/version-sent", "rfc9110#6.2/server-version", "rfc9110#6.2/server-version-limit", "rfc9112#2.3/downgrade-rare"],
    level: "SHOULD",
    title: "Responses say HTTP/1.1.",
  },
  {
    id: "fields",
    monitor: "valid field lines",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token", "rfc9112#5.2/fold-sent"],
    title: "Field lines are a token, a colon and a value on one line without control characters.",
  },
  {
    id: "line-ends",
    monitor: "lines end in CRLF",
    spec: "rfc9112#2.1",
    covers: ["rfc9112#2.1/format", "rfc9112#2.2/bare-cr-sent"],
    title: "All lines end in CR LF, and no CR stands elsewhere.",
  },
  {
    id: "framing",
    monitor: "unambiguous framing",
    spec: "rfc9112#6.2",
    covers: ["rfc9112#6.2/no-length-with-coding"],
    level: "MUST NOT",
    title: "No response says twice where it ends.",
  },
  {
    id: "coding",
    monitor: "no transfer coding but chunked",
    spec: "rfc9112#7.4",
    covers: ["rfc9112#7.4/absent"],
    level: "MUST NOT",
    title: "No transfer coding but chunked comes without being asked for.",
  },
  {
    id: "nothing-between",
    monitor: "no octets between responses",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    title: "Nothing stands between a response and the next.",
  },
  {
    id: "date",
    monitor: "Date present",
    spec: "rfc9110#6.6.1",
    covers: ["rfc9110#6.6.1/origin-sends"],
    title: "Responses of 2xx, 3xx and 4xx have a Date.",
  },
  {
    id: "date-form",
    monitor: "dates in IMF-fixdate",
    spec: "rfc9110#5.6.7",
    covers: ["rfc9110#5.6.7/imf-sent"],
    title: "Dates have the fixed form with a year of four digits, in GMT.",
  },
  {
    id: "date-of-now",
    monitor: "accurate Date",
    spec: "rfc9110#6.6.1",
    covers: ["rfc9110#6.6.1/accurate"],
    level: "SHOULD",
    title: "The Date of a response is that of now.",
  },
  {
    id: "single-fields",
    monitor: "singleton fields once",
    spec: "rfc9110#5.3",
    covers: ["rfc9110#5.3/single-line"],
    level: "MUST NOT",
    title: "No field that has one value comes twice.",
  },
  {
    id: "close-announced",
    monitor: "close announced",
    spec: "rfc9112#9.3",
    covers: ["rfc9112#9.3/server-without", "rfc9112#9.6/close-announced"],
    level: "SHOULD",
    title: "No connection ends behind a response that does not say close.",
  },
  {
    id: "close-kept",
    monitor: "nothing after close",
    spec: "rfc9112#9.6",
    covers: ["rfc9112#9.6/own-close", "rfc9112#9.6/own-close-ignores-rest"],
    level: "MUST NOT",
    title: "Nothing comes behind a response that says close.",
  },
];

const held = (monitor: string): Sight => ({ see: "holds", monitor });

export const cases: readonly Case[] = PROPERTIES.flatMap(({ id, monitor, spec, covers, level = "MUST", title }): Case[] => [
  {
    id: `http1/response-${id}`,
    spec,
    covers,
    level,
    role: "server",
    needs: ["keep-alive"],
    title,
    steps: plain,
    control: plain,
    // Behind what is not there a server may end the connection.
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
  {
    id: `http1/refusal-${id}`,
    spec,
    covers,
    level,
    role: "server",
    needs: ["refusal"],
    title: `The same of a refusal: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    steps: refusal,
    control: [send(get("X-Odd: 1"))],
    allowed: [
      { see: { see: "all", of: [refusedWith(["4xx", 501, 505]), held(monitor)] } },
      permitted({ see: "closed after", responses: 0 }, "rfc9112#9.5", "warn"),
    ],
  },
]);
