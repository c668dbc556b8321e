import { answeredLikeFirst, firstExchange, get, permitted, post, request, send, withoutMethod } from "../../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row } from "../../../vocabulary.ts";

const [, scheme, authority] = request();
const METHOD: FieldSpec = [":method", "GET", "indexing"];
const INDEXED: FieldSpec = ["x-name", "1", "indexing"];
/** Takes its :method from the second newest entry, which is :method only if the server added every entry of the blocks before. */
const fromTable = (stream: number): FrameSpec => ({ ...get(stream), blockHead: "bf", fields: withoutMethod });

/** A block that the server rejects or discards: its entries are added to the table all the same (rfc9113#4.3). */
const keepsTable = ({
  rejected,
  legal,
  others = [],
  ...row
}: Row & { readonly rejected: FrameSpec[]; readonly legal: FrameSpec[]; readonly others?: readonly Case["allowed"][number][] }): Case => ({
  spec: "rfc7541#3.2",
  covers: ["rfc7541#3.2/processing", "rfc9113#10.5.1/block-processed"],
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [...firstExchange, send(...rejected, fromTable(9))],
  control: [...firstExchange, send(...legal, fromTable(9))],
  // The outcome of the rejected frames does not matter here: only the request after them must be answered.
  allowed: [{ see: { see: "response", stream: 9, sameStatusAs: 1 } }, ...others],
  ...row,
});
const connectionError = permitted({ see: "GOAWAY", code: ["PROTOCOL_ERROR", "STREAM_CLOSED"] }, "rfc9113#5.4.1");
const before: FrameSpec = { ...get(3), tableSize: [256], fields: [[":path", "{path}", "indexing"], [":method", "GET"], scheme, authority] };
const trailers = (stream: number, fields: FieldSpec[]): FrameSpec => ({
  type: "HEADERS",
  stream,
  flags: ["END_STREAM", "END_HEADERS"],
  fields,
});

/** A request whose field block is split inside its representations. */
const reassembles = ({ frames, ...row }: Row & { readonly frames: FrameSpec[] }): Case => ({
  spec: "rfc7541#3.1",
  covers: ["rfc7541#3.2/processing"],
  level: "MUST",
  role: "server",
  steps: [...firstExchange, send(...frames)],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});
const begin: FrameSpec = { type: "HEADERS", stream: 3, flags: ["END_STREAM"] };
const piece = (block: string): FrameSpec => ({ type: "CONTINUATION", stream: 3, flags: [], block });
const lastPiece = (block: string): FrameSpec => ({ type: "CONTINUATION", stream: 3, flags: ["END_HEADERS"], block });

/** Field block processing (rfc7541#3.2): rejected blocks and split blocks. */
export const cases: readonly Case[] = [
  keepsTable({
    id: "http2/hpack-state-after-malformed-request",
    title: "The server adds the entries of a malformed request to its table, before and after the invalid field.",
    rejected: [before, { ...get(5), fields: [METHOD, ...withoutMethod, ["X-WRONG", "1"], INDEXED] }],
    legal: [before, { ...get(5), fields: [METHOD, ...withoutMethod, ["x-right", "1"], INDEXED] }],
    others: [connectionError],
  }),
  keepsTable({
    id: "http2/hpack-state-after-missing-pseudo-field",
    title: "The server adds the entries of a request without :path to its table.",
    rejected: [before, { ...get(5), fields: [METHOD, scheme, authority, INDEXED] }],
    legal: [before, { ...get(5), fields: [METHOD, ...withoutMethod, INDEXED] }],
    others: [connectionError],
  }),
  keepsTable({
    id: "http2/hpack-state-after-discarded-trailers",
    title: "The server adds the entries of discarded trailers, on a stream that it has reset, to its table.",
    rejected: [before, { ...post(5), fields: [METHOD, ...withoutMethod, ["X-WRONG", "1"]] }, trailers(5, [INDEXED])],
    legal: [before, { ...post(5), fields: [METHOD, ...withoutMethod] }, trailers(5, [INDEXED])],
    others: [connectionError],
  }),
  keepsTable({
    id: "http2/hpack-state-after-malformed-trailers",
    title: "The server adds the entries of malformed trailers to its table.",
    rejected: [before, { ...post(5), fields: [METHOD, ...withoutMethod] }, trailers(5, [["X-WRONG", "1"], INDEXED])],
    legal: [before, { ...post(5), fields: [METHOD, ...withoutMethod] }, trailers(5, [INDEXED])],
    others: [connectionError],
  }),
  keepsTable({
    id: "http2/hpack-state-after-connection-specific-field",
    title: "The server adds the entries of a request with a connection-specific field to its table.",
    rejected: [before, { ...get(5), fields: [METHOD, ...withoutMethod, ["connection", "close", "indexing"]] }],
    legal: [before, { ...get(5), fields: [METHOD, ...withoutMethod, INDEXED] }],
    others: [connectionError],
  }),
  keepsTable({
    id: "http2/hpack-state-after-reset-request",
    title: "The server adds the entries of a request that is reset immediately to its table.",
    rejected: [before, { ...get(5), fields: [METHOD, ...withoutMethod, INDEXED] }, { type: "RST_STREAM", stream: 5, code: "CANCEL" }],
    legal: [before, { ...get(5), fields: [METHOD, ...withoutMethod, INDEXED] }],
  }),
  keepsTable({
    id: "http2/hpack-state-across-streams",
    title: "The server uses one table for the field blocks of all streams, trailers included.",
    rejected: [
      before,
      { ...post(5), fields: [METHOD, ...withoutMethod] },
      { type: "DATA", stream: 5, data: "content" },
      trailers(5, [INDEXED]),
    ],
    // A server that accepts no trailers proves nothing about its table.
    legal: [
      before,
      { ...post(5), fields: [METHOD, ...withoutMethod, INDEXED] },
      { type: "DATA", stream: 5, data: "content" },
      trailers(5, [["x-name", "1"]]),
    ],
  }),
  reassembles({
    id: "http2/hpack-cut-inside-a-name",
    title: "The server decodes a field block that is split inside a field name.",
    frames: [{ ...begin, fields: request(), blockTail: "0006782d" }, lastPiece("6e616d650131")],
  }),
  reassembles({
    id: "http2/hpack-cut-inside-an-integer",
    title: "The server decodes a field block that is split inside an integer.",
    frames: [{ ...begin, fields: request(), blockTail: "0f" }, lastPiece("2b0131")],
  }),
  reassembles({
    id: "http2/hpack-cut-before-the-value",
    title: "The server decodes a field block that is split between name and value.",
    frames: [{ ...begin, fields: request(), blockTail: "0006782d6e616d65" }, lastPiece("0131")],
  }),
  reassembles({
    id: "http2/hpack-cut-into-small-pieces",
    title: "The server decodes a field block in pieces of a few octets, one of them empty.",
    frames: [
      { ...begin, fields: request(), blockTail: "00" },
      // Few enough for servers that limit CONTINUATION frames.
      ...["03", "", "782d61", "01"].map((block) => piece(block)),
      lastPiece("31"),
    ],
  }),
];
