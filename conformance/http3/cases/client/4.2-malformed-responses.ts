import type { RequirementRef } from "../../../harness/case.ts";
import { send } from "../phrases.ts";
import { malformedResponse, respond, responseContent, untilRequest } from "../phrases-client.ts";
import type { Case, FieldSpec, FrameSpec, Row } from "../../vocabulary.ts";

const STATUS: FieldSpec = [":status", "200"];
const TYPE: FieldSpec = ["content-type", "text/plain"];

/** A response whose stream stays open, so that its refusal shows (rfc9114#4.1.1); the driver ends it. */
const refuses = ({ frames, ...row }: Row<"spec" | "covers"> & { readonly frames: readonly FrameSpec[] }): Case => ({
  level: "MUST",
  role: "client",
  needs: ["exit-status"],
  steps: [...untilRequest, send("request", ...frames)],
  control: [...untilRequest, send("request", respond(["x-name", "1"]), responseContent())],
  allowed: malformedResponse,
  ...row,
});

type Malformed = readonly [slug: string, words: string, spec: Case["spec"], covers: RequirementRef, fields: readonly FieldSpec[]];
const more = (...fields: readonly FieldSpec[]): readonly FieldSpec[] => [STATUS, TYPE, ...fields];
const FIELDS: readonly Malformed[] = [
  ["without-status", "no :status", "rfc9114#4.3.2", "rfc9114#4.3.2/status-missing", [TYPE]],
  ["with-status-after-a-field", ":status after a regular field", "rfc9114#4.3", "rfc9114#4.3/before-regular", [TYPE, STATUS]],
  ["with-path", ":path", "rfc9114#4.3", "rfc9114#4.3/undefined", [STATUS, [":path", "/"], TYPE]],
  ["with-unknown-pseudo-field", "an unknown pseudo-header field", "rfc9114#4.3", "rfc9114#4.3/undefined", [STATUS, [":name", "1"], TYPE]],
  ["with-connection", "Connection", "rfc9114#4.2", "rfc9114#4.2/connection-specific", more(["connection", "close"])],
  ["with-keep-alive", "Keep-Alive", "rfc9114#4.2", "rfc9114#4.2/connection-specific", more(["keep-alive", "timeout=5"])],
  ["with-proxy-connection", "Proxy-Connection", "rfc9114#4.2", "rfc9114#4.2/connection-specific", more(["proxy-connection", "close"])],
  ["with-transfer-encoding", "Transfer-Encoding", "rfc9114#4.2", "rfc9114#4.2/connection-specific", more(["transfer-encoding", "chunked"])],
  ["with-upgrade", "Upgrade", "rfc9114#4.2", "rfc9114#4.2/connection-specific", more(["upgrade", "h2c"])],
  ["with-upper-case-name", "an upper-case field name", "rfc9114#4.2", "rfc9114#4.2/uppercase", more(["X-Name", "1"])],
  ["with-space-in-a-name", "a space in a field name", "rfc9114#10.3", "rfc9114#10.3/invalid-name", more(["x name", "1"])],
  ["with-colon-in-a-name", "a colon in a field name", "rfc9114#10.3", "rfc9114#10.3/invalid-name", more(["x:name", "1"])],
  ["with-nul-in-a-value", "NUL in a field value", "rfc9114#10.3", "rfc9114#10.3/invalid-value", more(["x-name", "a\0b"])],
  ["with-cr-in-a-value", "CR in a field value", "rfc9114#10.3", "rfc9114#10.3/invalid-value", more(["x-name", "a\rb"])],
  ["with-lf-in-a-value", "LF in a field value", "rfc9114#10.3", "rfc9114#10.3/invalid-value", more(["x-name", "a\nb"])],
];

/** Malformed responses (rfc9114#4.1.2). */
export const cases: readonly Case[] = [
  ...FIELDS.map(([slug, words, spec, covers, fields]) =>
    refuses({
      id: `http3/client-response-${slug}`,
      spec,
      covers: [covers, "rfc9114#4.1.2/not-accepted"],
      title: `The client treats a response with ${words} as malformed.`,
      frames: [{ type: "HEADERS", fields }, responseContent()],
    }),
  ),
  refuses({
    id: "http3/client-second-final-response",
    spec: "rfc9114#4.1",
    covers: ["rfc9114#4.1/second-final"],
    title: "The client treats a second final response as malformed.",
    frames: [respond(), responseContent(), respond()],
  }),
  refuses({
    id: "http3/client-status-in-trailers",
    spec: "rfc9114#4.3",
    covers: ["rfc9114#4.3/undefined"],
    title: "The client treats :status in trailers as malformed.",
    frames: [
      respond(),
      responseContent(),
      {
        type: "HEADERS",
        fields: [
          ["x-sum", "1"],
          [":status", "200"],
        ],
      },
    ],
  }),
  refuses({
    id: "http3/client-content-beyond-content-length",
    spec: "rfc9114#4.1.2",
    covers: ["rfc9114#4.1.2/content-length"],
    level: "SHOULD",
    title: "The client treats content beyond Content-Length as malformed.",
    frames: [respond(["content-length", "1"]), responseContent()],
  }),
];
