import { firstExchange, get, handshake, permitted, request, send } from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Step } from "../../vocabulary.ts";

const [method, scheme, authority] = request();
const INDEXED_PATH: FieldSpec = [":path", "{path}", "indexing"];
const FIRST: FieldSpec = ["x-first", "1"];
/** In its trailers, after the end of its header section: the same fields. */
const asTrailers = (stream: number, frames: number): FrameSpec[] => [
  { type: "HEADERS", stream, flags: ["END_HEADERS"], fields: [[":method", "POST"], scheme, authority, INDEXED_PATH] },
  ...large(stream, frames).map((frame, nth) => (nth === 0 ? { ...frame, fields: [FIRST] } : frame)),
];
const large = (stream: number, frames: number, isOpen = false): FrameSpec[] => [
  { type: "HEADERS", stream, flags: isOpen ? [] : ["END_STREAM"], fields: [method, scheme, authority, INDEXED_PATH] },
  ...Array.from({ length: frames }, (_, n): FrameSpec => ({
    type: "CONTINUATION",
    stream,
    fields: [
      [`x-large-${n}`, "a".repeat(8000)],
      [`y-large-${n}`, "b".repeat(8000)],
    ],
  })),
  { type: "CONTINUATION", stream, flags: ["END_HEADERS"], fields: [["x-last", "1", "indexing"]] },
];

/**
 * The table holds :method. The large block adds :path first and another entry last. The next request takes its :path from the second
 * newest entry: a server that did not decode the end of the block finds :method there.
 */
const keepsState = ({
  frames,
  isOpen,
  inTrailers,
  ...row
}: Row & { readonly frames: number; readonly isOpen?: true; readonly inTrailers?: true }): Case => {
  const block = (count: number): FrameSpec[] => (inTrailers === true ? asTrailers(5, count) : large(5, count, isOpen));
  const before: Step[] = [
    ...firstExchange,
    send({ ...get(3), fields: [[":method", "GET", "indexing"], scheme, authority, [":path", "{path}"]] }),
  ];
  const after: Step = send({ ...get(7), fields: [method, scheme, authority], blockTail: "bf" });
  return {
    spec: "rfc9113#10.5.1",
    covers: ["rfc9113#10.5.1/block-processed", "rfc9113#10.5.1/status-431"],
    level: "MUST",
    role: "server",
    needs: ["dynamic-table"],
    steps: [...before, send(...block(frames)), after],
    control: [...before, send(...block(0)), after],
    allowed: [
      { see: { see: "response", stream: 7, sameStatusAs: 1 } },
      // A server that will not decode so large a block may end the connection with any error.
      permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5.1"),
      permitted({ see: "closed" }, "rfc9113#10.5.1"),
    ],
    ...row,
  };
};

const LAST_CRUMB = "last=crumb";
/** A request with four equal cookies and one more, each in a frame of its own. */
const crumbs = (value: string): FrameSpec[] => [
  { type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields: request() },
  ...Array.from({ length: 4 }, (_, n): FrameSpec => ({ type: "CONTINUATION", stream: 1, fields: [["cookie", `${n}=${value}`]] })),
  { type: "CONTINUATION", stream: 1, flags: ["END_HEADERS"], fields: [["cookie", LAST_CRUMB]] },
];

/** Large field blocks (rfc9113#10.5.1): the table stays in step even if the request is rejected. */
export const cases: readonly Case[] = [
  keepsState({
    id: "http2/field-block-of-48-kilobytes",
    title: "The server decodes a field block of 48,000 octets even if it rejects the request, or ends the connection.",
    frames: 3,
  }),
  keepsState({
    id: "http2/field-block-of-48-kilobytes-before-content",
    title: "The server decodes a field block of 48,000 octets whose content does not follow, even if it rejects the request.",
    frames: 3,
    isOpen: true,
  }),
  keepsState({
    id: "http2/field-block-of-48-kilobytes-in-trailers",
    title: "The server decodes trailers of 48,000 octets even if it rejects the request, or ends the connection.",
    frames: 3,
    inTrailers: true,
  }),
  keepsState({
    id: "http2/field-block-of-160-kilobytes",
    title: "The server decodes a field block of 160,000 octets even if it rejects the request, or ends the connection.",
    frames: 10,
  }),
  {
    id: "http2/field-section-of-36-kilobytes-not-cut",
    spec: "rfc9110#5.4",
    covers: ["rfc9110#5.4/too-large", "rfc9113#10.5.1/status-431"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    title: "The server processes all fields of a section of 36,000 octets, or refuses the request.",
    fence: { stream: 1 },
    steps: [handshake, send(...crumbs("c".repeat(9000)))],
    control: [handshake, send(...crumbs("c"))],
    allowed: [
      { see: { see: "text", stream: 1, text: LAST_CRUMB } },
      { see: { see: "response", stream: 1, status: ["4xx"] }, by: "rfc9110#5.4" },
      permitted({ see: "RST_STREAM", stream: 1, code: "any error" }, "rfc9113#10.5.1"),
      permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5.1"),
      permitted({ see: "closed" }, "rfc9113#10.5.1"),
    ],
  },
  {
    id: "http2/field-section-of-36-kilobytes-without-a-reset",
    spec: "rfc9113#5.1",
    covers: ["rfc9113#5.1/closed-sending"],
    level: "MUST NOT",
    role: "server",
    title: "The server sends no RST_STREAM after a complete response to a complete request with a field section of 36,000 octets.",
    steps: [handshake, send(...crumbs("c".repeat(9000)))],
    control: [handshake, send(...crumbs("c"))],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            { see: "accepted without", not: [{ see: "RST_STREAM", stream: 1, code: "NO_ERROR" }] },
            { see: "response", stream: 1, complete: true },
          ],
        },
      },
      permitted({ see: "RST_STREAM", stream: 1, code: "any error" }, "rfc9113#10.5.1"),
      permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5.1"),
      permitted({ see: "closed" }, "rfc9113#10.5.1"),
    ],
  },
];
