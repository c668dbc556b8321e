import { STATUSES } from "../../../wire/rpc/statuses.ts";
import {
  all,
  answered,
  asked,
  begun,
  call,
  drop,
  failed,
  fails,
  good,
  GOOD,
  head,
  lastly,
  only,
  received,
  reply,
  resets,
  type Row,
  say,
  trailers,
  until,
} from "./phrases.ts";

/** How calls end: trailers, resets, and responses that are not whole. */

const OTHERS = STATUSES.slice(1);
const passed = "rpc-http2#responses/proxy-trailers";
const LARGE = "0123456789".repeat(600);

export const rows: readonly Row[] = [
  {
    id: "trailers-passed",
    title: "The status in the trailers of a response reaches the client in trailers.",
    covers: passed,
    steps: GOOD,
    allowed: good({ form: "headers and trailers" }),
  },
  ...[1, 2].map((part): Row => ({
    id: part === 1 ? "each-status-passed" : "each-status-passed-alone",
    title: part === 1 ? "Each status reaches the client in trailers after a message." : "Each status reaches the client in trailers alone.",
    covers: passed,
    steps: OTHERS.flatMap((status, at) => [
      ...asked(at + 1),
      received(at + 1),
      ...(part === 1
        ? [head({ request: at + 1 }), reply([{}], { request: at + 1 }), trailers({ status, request: at + 1 })]
        : [only(status, { request: at + 1 })]),
      until(failed(status, at + 1)),
    ]),
    allowed: all(...OTHERS.map((status, at) => good({ status, call: at + 1 }))),
  })),
  {
    id: "unknown-status-passed",
    title: "A status that no text knows reaches the client.",
    covers: passed,
    steps: [...asked(), received(), head(), reply(), trailers({ status: "99" })],
    allowed: good({ status: 99 }),
  },
  {
    id: "trailers-only-kept",
    title: "Trailers alone reach the client as one header section that ends the stream.",
    covers: passed,
    steps: [...asked(), received(), only("NOT_FOUND", { message: "no such thing" })],
    allowed: good({ status: "NOT_FOUND", message: "no such thing", form: "trailers only" }),
  },
  {
    id: "status-message-kept",
    title: "A percent-encoded status message reaches the client unchanged.",
    covers: passed,
    steps: [...asked(), received(), head(), trailers({ status: "ABORTED", fields: [["{rpc}-message", "%E2%82%AC 100%25%0A%zz"]] })],
    allowed: good({ status: "ABORTED", trailers: { "{rpc}-message": "%E2%82%AC 100%25%0A%zz" } }),
  },
  {
    id: "status-details-kept",
    title: "The details of a status reach the client with the same octets.",
    covers: passed,
    steps: [...asked(), received(), head(), trailers({ status: "ABORTED", fields: [["{rpc}-status-details-bin", "CAUSAWE"]] })],
    allowed: good({ status: "ABORTED", trailers: { "{rpc}-status-details-bin": "0805120161" } }),
  },
  {
    id: "trailing-metadata-passed",
    title: "Metadata in trailers reaches the client in trailers, with its values in order.",
    covers: passed,
    steps: [
      ...asked(),
      received(),
      head(),
      reply(),
      trailers({
        fields: [
          ["x-list", "1"],
          ["x-list", "2"],
          ["x-end-bin", "AP8"],
        ],
      }),
    ],
    allowed: good({ trailers: { "x-list": "1,2", "x-end-bin": "00ff" }, headers: { "x-list": false, "x-end-bin": false } }),
  },
  {
    id: "large-trailers-passed",
    title: "Trailers of 6,000 octets reach the client.",
    covers: passed,
    steps: [...asked(), received(), head(), reply(), trailers({ fields: [["x-large", LARGE]] })],
    allowed: good({ trailers: { "x-large": LARGE } }),
  },
  {
    id: "response-metadata-passed",
    title: "Metadata in response headers reaches the client in headers, with its values in order.",
    covers: "rfc9110#5.1/unknown-forwarded",
    steps: [
      ...asked(),
      received(),
      head({
        fields: [
          ["x-list", "1"],
          ["x-list", "2"],
          ["x-begin-bin", "AP8"],
        ],
      }),
      reply(),
      trailers(),
    ],
    allowed: good({ headers: { "x-list": "1,2", "x-begin-bin": "00ff" }, trailers: { "x-list": false, "x-begin-bin": false } }),
  },
  {
    id: "response-order-kept",
    title: "The values of a repeated name in response headers keep their order.",
    covers: "rfc9110#5.3/order-kept",
    steps: [
      ...asked(),
      received(),
      head({
        fields: [
          ["x-list", "3"],
          ["x-list", "1"],
          ["x-list", "2"],
        ],
      }),
      reply(),
      trailers(),
    ],
    allowed: good({ headers: { "x-list": "3,1,2" } }),
  },
  {
    id: "response-content-type-kept",
    title: "The content type of a response reaches the client unchanged.",
    covers: "rfc9110#7.7/end-to-end-kept",
    steps: [...asked(), received(), head({ replace: { "content-type": "application/{rpc}+proto" } }), reply(), trailers()],
    allowed: good({ headers: { "content-type": "application/{rpc}+proto" } }),
  },
  {
    id: "interim-passed",
    title: "A 103 response before the headers of a response reaches the client.",
    covers: "rfc9110#15.2/proxy-forwards",
    steps: [
      ...asked(),
      received(),
      {
        do: "origin",
        step: {
          do: "frames",
          frames: [
            {
              type: "HEADERS",
              stream: "request",
              flags: ["END_HEADERS"],
              fields: [
                [":status", "103"],
                ["x-early", "1"],
              ],
            },
          ],
        },
      },
      ...answered(),
    ],
    control: GOOD,
    allowed: all({ see: "interim", status: 103, headers: { "x-early": "1" } }, good()),
  },
  {
    id: "status-of-http-passed",
    title: "A response with another HTTP status reaches the client with it.",
    covers: "rpc-http-status#table/proxy",
    steps: [...asked(), received(), head({ replace: { ":status": "503", "content-type": "text/plain" }, end: true })],
    control: GOOD,
    allowed: fails("UNAVAILABLE"),
  },
  {
    id: "missing-trailers-not-made-up",
    title: "A response that ends without trailers does not become OK.",
    covers: passed,
    steps: [...asked(), received(), head(), reply([{}], { end: true })],
    control: GOOD,
    allowed: all(failed(), { see: "not answered" }),
  },
  {
    id: "reset-after-headers-passed",
    title: "A reset after the headers of a response is an error for the client.",
    covers: "rpc-http2#errors/proxy-reset",
    steps: [...asked(), received(), head(), { do: "wait", ms: 100, until: begun() }, resets("INTERNAL_ERROR")],
    control: GOOD,
    allowed: fails("INTERNAL"),
  },
  {
    id: "reset-within-message-passed",
    title: "A reset inside a message is an error for the client.",
    covers: "rpc-http2#errors/proxy-reset",
    steps: [...asked(), received(), head(), reply([{ keep: 8 }]), { do: "wait", ms: 100, until: begun() }, resets("INTERNAL_ERROR")],
    control: GOOD,
    allowed: fails("INTERNAL"),
  },
  {
    id: "reset-code-kept",
    title: "The code of a reset reaches the client, so that it finds the same status.",
    covers: "rpc-http2#errors/proxy-reset",
    steps: [...asked(), received(), head(), reply(), until(begun({ count: 1 })), resets("ENHANCE_YOUR_CALM")],
    control: GOOD,
    allowed: fails("RESOURCE_EXHAUSTED"),
  },
  {
    id: "connection-lost-within-response",
    title: "A response that the end of the origin's connection cuts short is an error for the client.",
    covers: "rpc-http2#errors/proxy-reset",
    steps: [...asked(), received(), head(), reply([{ keep: 8 }]), { do: "wait", ms: 100, until: begun() }, drop()],
    control: GOOD,
    allowed: [{ see: all(failed(), { see: "not answered" }) }],
  },
  {
    id: "early-end-passed",
    title: "A response that is whole before the request reaches the client, although a reset without an error follows.",
    covers: "rpc-http2#responses/proxy-early",
    steps: [call(), say(), until({ see: "request", messages: ["touchstone"] }), ...answered(), resets("NO_ERROR")],
    allowed: good(),
  },
  {
    id: "early-failure-passed",
    title: "A status that comes before the end of the request reaches the client.",
    covers: "rpc-http2#responses/proxy-early",
    steps: [call(), say(), only("PERMISSION_DENIED")],
    allowed: good({ status: "PERMISSION_DENIED" }),
  },
  {
    id: "false-length-of-request",
    title: "A request with another length than it states does not reach the origin as whole.",
    covers: "rfc9113#8.1.1/no-forward",
    steps: [call(1, { fields: [["content-length", "100"]] }), lastly(), { do: "wait", ms: 300, until: failed() }],
    control: [call(1, { fields: [["content-length", "15"]] }), lastly(), received(), ...answered()],
    allowed: [{ see: { see: "not whole" } }, { see: { see: "withdrawn" }, by: "rfc9113#8.1.1", verdict: "warn" }],
  },
  {
    id: "false-length-of-response",
    title: "A response with another length than it states does not reach the client as whole.",
    covers: "rfc9113#8.1.1/no-forward",
    steps: [...asked(), received(), head({ fields: [["content-length", "100"]] }), reply(), trailers()],
    control: [...asked(), received(), head({ fields: [["content-length", "15"]] }), reply(), trailers()],
    allowed: { see: "not answered" },
  },
];
