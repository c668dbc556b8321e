import { accepted, connectionError, getOn, handshake, octetsOn } from "../../phrases.ts";
import { decoded } from "../../../../wire/qpack/build.ts";
import type { Case, Row } from "../../../vocabulary.ts";

/** An instruction on our decoder stream, about sections that the server has sent without its dynamic table. */
const refuses = ({ octets, ...row }: Row<"covers" | "spec"> & { readonly octets: readonly Uint8Array[] }): Case => ({
  level: "MUST",
  role: "server",
  steps: [handshake, octetsOn("decoder", row.title, ...octets)],
  control: [handshake, octetsOn("decoder", "Stream Cancellation of stream 400", decoded.cancel(400))],
  allowed: connectionError("QPACK_DECODER_STREAM_ERROR"),
  ...row,
});
const acknowledged = ["rfc9204#4.4.1/unexpected"] as const;
const increment = ["rfc9204#4.4.3/increment-wrong"] as const;
/** What an integer of more than 62 bits looks like (rfc9204#4.1.1). */
const ENDLESS = Uint8Array.of(0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);

/** What a client says of the sections that it has decoded (rfc9204#4.4). */
export const cases: readonly Case[] = [
  refuses({
    id: "http3/increment-of-zero",
    spec: "rfc9204#4.4.3",
    title: "The server treats an Insert Count Increment of 0 as QPACK_DECODER_STREAM_ERROR.",
    covers: increment,
    octets: [decoded.increment(0)],
  }),
  refuses({
    id: "http3/increment-beyond-insertions",
    spec: "rfc9204#4.4.3",
    title: "The server treats an Insert Count Increment beyond its insertions as QPACK_DECODER_STREAM_ERROR.",
    covers: increment,
    octets: [decoded.increment(1)],
  }),
  refuses({
    id: "http3/large-increment",
    spec: "rfc9204#4.4.3",
    title: "The server treats an Insert Count Increment of 1,000,000 as QPACK_DECODER_STREAM_ERROR.",
    covers: increment,
    octets: [decoded.increment(1_000_000)],
  }),
  refuses({
    id: "http3/acknowledgment-without-section",
    spec: "rfc9204#4.4.1",
    title: "The server treats a Section Acknowledgment for a stream without sections as QPACK_DECODER_STREAM_ERROR.",
    covers: acknowledged,
    octets: [decoded.acknowledge(0)],
  }),
  refuses({
    id: "http3/acknowledgment-of-a-distant-stream",
    spec: "rfc9204#4.4.1",
    title: "The server treats a Section Acknowledgment for stream 4000 as QPACK_DECODER_STREAM_ERROR.",
    covers: acknowledged,
    octets: [decoded.acknowledge(4_000)],
  }),
  {
    ...refuses({
      id: "http3/acknowledgment-of-a-section-without-table",
      spec: "rfc9204#4.4.1",
      title: "The server treats a Section Acknowledgment for a section without dynamic references as QPACK_DECODER_STREAM_ERROR.",
      covers: acknowledged,
      octets: [],
    }),
    steps: [
      handshake,
      getOn("request"),
      { do: "await", see: { see: "response", on: "request", complete: true } },
      octetsOn("decoder", "Section Acknowledgment of stream 0", decoded.acknowledge(0)),
    ],
    control: [handshake, getOn("request"), { do: "await", see: { see: "response", on: "request", complete: true } }],
  },
  refuses({
    id: "http3/decoder-stream-integer-too-long",
    spec: "rfc9204#7.4",
    title: "The server treats an integer beyond 62 bits on the decoder stream as QPACK_DECODER_STREAM_ERROR.",
    covers: ["rfc9204#7.4/beyond"],
    octets: [ENDLESS],
  }),
  {
    id: "http3/cancellation-of-an-unknown-stream",
    spec: "rfc9204#4.4.2",
    covers: ["rfc9204#4.4.2/releases"],
    level: "MUST",
    role: "server",
    title: "The server accepts a Stream Cancellation for a stream without dynamic references.",
    steps: [handshake, octetsOn("decoder", "Stream Cancellation of stream 0", decoded.cancel(0)), getOn("request")],
    control: [handshake, getOn("request")],
    allowed: accepted,
  },
];
