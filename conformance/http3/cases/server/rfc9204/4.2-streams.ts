import { accepted, connectionError, getOn, handshake, octetsOn } from "../../phrases.ts";
import { decoded, insert } from "../../../../wire/qpack/build.ts";
import type { Case, Row, Step } from "../../../vocabulary.ts";

const KINDS = ["encoder", "decoder"] as const;

/** A reset may overtake what was sent before it, so the server must have read that. */
const settled: readonly Step[] = [handshake, getOn("request"), { do: "await", see: { see: "response", on: "request", complete: true } }];
const closed = ({ how, ...row }: Row<"covers"> & { readonly how: Step }): Case => ({
  spec: "rfc9204#4.2",
  level: "MUST",
  role: "server",
  steps: [...settled, how],
  control: settled,
  allowed: connectionError("H3_CLOSED_CRITICAL_STREAM"),
  ...row,
});
const accepts = ({ steps, ...row }: Row<"covers" | "steps">): Case => ({
  spec: "rfc9204#4.2",
  level: "MUST",
  role: "server",
  control: [handshake, getOn("request")],
  allowed: accepted,
  ...row,
  steps: [...steps, getOn("request")],
});
const without = (...kinds: ("encoder" | "decoder")[]): Step => ({ do: "handshake", without: kinds });

/** The encoder and the decoder stream (rfc9204#4.2). */
export const cases: readonly Case[] = [
  ...KINDS.flatMap((kind): Case[] => [
    {
      id: `http3/second-${kind}-stream`,
      spec: "rfc9204#4.2",
      covers: ["rfc9204#4.2/second-stream"],
      level: "MUST",
      role: "server",
      title: `The server treats a second ${kind} stream as a connection error of type H3_STREAM_CREATION_ERROR.`,
      steps: [handshake, { do: "open", on: "extra", kind }],
      control: [handshake, { do: "open", on: "extra", kind: 0x21 }],
      allowed: connectionError("H3_STREAM_CREATION_ERROR"),
    },
    closed({
      id: `http3/${kind}-stream-ended`,
      title: `The server treats the end of the ${kind} stream as a connection error of type H3_CLOSED_CRITICAL_STREAM.`,
      covers: ["rfc9204#4.2/closed"],
      how: { do: "end", on: kind },
    }),
    closed({
      id: `http3/${kind}-stream-reset`,
      title: `The server treats a reset of the ${kind} stream as a connection error of type H3_CLOSED_CRITICAL_STREAM.`,
      covers: ["rfc9204#4.2/closed"],
      how: { do: "reset", on: kind, code: "H3_NO_ERROR" },
    }),
  ]),
  accepts({
    id: "http3/without-encoder-stream",
    title: "The server serves a client without an encoder stream.",
    covers: ["rfc9204#4.2/encoder-stream-optional"],
    level: "SHOULD",
    steps: [without("encoder")],
  }),
  accepts({
    id: "http3/without-decoder-stream",
    title: "The server serves a client without a decoder stream.",
    covers: ["rfc9204#4.2/decoder-stream-optional"],
    level: "SHOULD",
    steps: [without("decoder")],
  }),
  accepts({
    id: "http3/without-qpack-streams",
    title: "The server serves a client without streams of QPACK.",
    covers: ["rfc9204#4.2/encoder-stream-optional", "rfc9204#4.2/decoder-stream-optional"],
    level: "SHOULD",
    steps: [without("encoder", "decoder")],
  }),
  accepts({
    id: "http3/qpack-streams-without-table",
    title: "The server without a dynamic table lets the client open both streams of QPACK.",
    covers: ["rfc9204#4.2/streams-allowed"],
    needs: ["no-dynamic-table"],
    steps: [handshake, octetsOn("decoder", "Stream Cancellation of stream 400", decoded.cancel(400))],
  }),
  accepts({
    id: "http3/encoder-stream-octet-by-octet",
    title: "The server reads instructions that come octet by octet.",
    covers: ["rfc9204#4.2/cuts"],
    needs: ["dynamic-table"],
    steps: [
      handshake,
      ...[...insert.capacity(200), ...insert.literal("x-name", "value")].map((octet) =>
        octetsOn("encoder", "an octet", Uint8Array.of(octet)),
      ),
    ],
  }),
];
