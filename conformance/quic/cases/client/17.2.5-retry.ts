import type { RequirementRef } from "../../../harness/case.ts";
import { shown } from "../phrases.ts";
import { accept, acceptWith, CLIENT, fence, first, refusedHandshake } from "../phrases-client.ts";
import type { Case, ParameterSpec, RetrySpec, Row, Step } from "../../vocabulary.ts";

const TOKEN = "746f756368";
const retry: Step = { do: "retry", token: TOKEN };
/** A Retry that the client has to ignore. */
const ignored = (spec: RetrySpec): readonly Step[] => [{ do: "retry", ignored: true, ...spec }, accept];
const shows = (id: Case["id"], monitor: string, covers: RequirementRef, title: string): Case =>
  shown(CLIENT, { id, covers: [covers], monitor, title, steps: [retry, accept, fence] });
const confirmed = (before: readonly Step[], parameters: ParameterSpec, { id, covers, title }: Row<"covers">): Case => ({
  ...refusedHandshake({
    id,
    spec: "rfc9000#7.3",
    covers,
    title,
    with: { parameters },
    code: ["TRANSPORT_PARAMETER_ERROR", "PROTOCOL_VIOLATION"],
  }),
  steps: [...before, acceptWith({ parameters, until: "nothing" })],
  control: [...before, accept],
});

/** Retry packets and what follows them (rfc9000#17.2.5, #7.3, #8.1.2). */
export const cases: readonly Case[] = [
  first({
    id: "quic/client-retry",
    spec: "rfc9000#17.2.5.2",
    covers: ["rfc9000#17.2.5.2/responds"],
    title: "The client answers a Retry with another Initial packet, and completes the handshake.",
    steps: [retry, accept],
  }),
  first({
    id: "quic/client-retry-with-a-long-token",
    spec: "rfc9000#17.2.5.2",
    covers: ["rfc9000#17.2.5.2/responds"],
    title: "The client answers a Retry whose token has 300 octets.",
    steps: [{ do: "retry", token: "5a".repeat(300) }, accept],
  }),
  first({
    id: "quic/client-second-retry",
    spec: "rfc9000#17.2.5.2",
    covers: ["rfc9000#17.2.5.2/one"],
    title: "The client discards a second Retry.",
    steps: [retry, ...ignored({ token: "ffeeddcc" })],
  }),
  first({
    id: "quic/client-retry-after-an-initial-packet",
    spec: "rfc9000#17.2.5.2",
    covers: ["rfc9000#17.2.5.2/one"],
    title: "The client discards a Retry that comes after an Initial packet of the server.",
    steps: [
      { do: "accept", hold: "initial" },
      { do: "await", see: { see: "frame", type: "ACK", level: "initial" } },
      { do: "retry", ignored: true, token: TOKEN },
    ],
  }),
  first({
    id: "quic/client-retry-with-a-wrong-tag",
    spec: "rfc9000#17.2.5.2",
    covers: ["rfc9000#17.2.5.2/tag"],
    title: "The client discards a Retry whose integrity tag is wrong.",
    steps: ignored({ token: TOKEN, corrupt: true }),
  }),
  first({
    id: "quic/client-retry-without-token",
    spec: "rfc9000#17.2.5.2",
    covers: ["rfc9000#17.2.5.2/empty-token"],
    title: "The client discards a Retry with an empty token.",
    steps: ignored({ token: "" }),
  }),
  first({
    id: "quic/client-retry-from-its-own-choice",
    spec: "rfc9000#17.2.5.1",
    covers: ["rfc9000#17.2.5.1/same-id"],
    title: "The client discards a Retry whose source ID is the destination ID of its Initial packet.",
    // Were it obeyed, the later Initial packets would have the token.
    steps: [...ignored({ token: TOKEN, source: "same" }), fence],
    sights: [{ see: "holds", monitor: "no-token-unasked" }],
  }),
  shows(
    "quic/client-repeats-the-token-of-a-retry",
    "retry-token-repeated",
    "rfc9000#8.1.2/repeats",
    "The client sends the token of a Retry in all Initial packets that follow.",
  ),
  shows(
    "quic/client-sends-to-the-id-of-a-retry",
    "retry-id-used",
    "rfc9000#17.2.5.2/responds",
    "The client answers a Retry with a packet to the source ID of the Retry.",
  ),
  shown(CLIENT, {
    id: "quic/client-keeps-its-id-after-a-retry",
    covers: ["rfc9000#17.2.5.2/source-kept"],
    level: "MUST NOT",
    monitor: "source-id-kept",
    title: "The client keeps its source ID after a Retry.",
    steps: [retry, accept, fence],
  }),
  shown(CLIENT, {
    id: "quic/client-numbers-after-a-retry",
    covers: ["rfc9000#17.2.5.3/numbers"],
    level: "MUST NOT",
    monitor: "numbers-go-on-after-retry",
    title: "The client does not use packet number 0 a second time after a Retry.",
    steps: [retry, accept, fence],
  }),
  confirmed(
    [retry],
    { without: ["retry_source_connection_id"] },
    {
      id: "quic/client-parameter-retry-id-absent",
      covers: ["rfc9000#7.3/retry-absent"],
      title: "The client treats the absence of retry_source_connection_id after a Retry as a connection error.",
    },
  ),
  confirmed(
    [retry],
    { set: { retry_source_connection_id: "0102030405060708" } },
    {
      id: "quic/client-parameter-retry-id-differs",
      covers: ["rfc9000#7.3/differs"],
      title: "The client treats a retry_source_connection_id that is not that of the Retry as a connection error.",
    },
  ),
  confirmed(
    [],
    { set: { retry_source_connection_id: "0102030405060708" } },
    {
      id: "quic/client-parameter-retry-id-without-retry",
      covers: ["rfc9000#7.3/retry-unasked"],
      title: "The client treats retry_source_connection_id without a Retry as a connection error.",
    },
  ),
  confirmed(
    [retry],
    { set: { original_destination_connection_id: "0102030405060708" } },
    {
      id: "quic/client-parameter-original-id-after-a-retry",
      covers: ["rfc9000#7.3/differs"],
      title: "The client treats an original_destination_connection_id that is not its first choice as a connection error after a Retry.",
    },
  ),
];
