import { accepted, app, connect, connectionError, connectWith, firstFlightError, packet } from "../../phrases.ts";
import type { Case, CodeName, ConnectSpec, Row } from "../../../vocabulary.ts";

/** A ClientHello that the server refuses with an alert. */
const hello = ({
  with: wrong,
  instead,
  alert,
  ...row
}: Row<"covers"> & {
  readonly with: ConnectSpec;
  readonly instead?: ConnectSpec;
  readonly alert: CodeName | readonly CodeName[];
}): Case => ({
  spec: row.covers[0].slice(0, row.covers[0].indexOf("/")) as Case["spec"],
  level: "MUST",
  role: "server",
  steps: [{ do: "connect", impatient: true, ...wrong }],
  control: [instead === undefined ? connect : connectWith(instead)],
  allowed: firstFlightError(alert),
  fence: "connection",
  ...row,
});
const FINISHED_OF_ZEROS = `00${"4024"}14000020${"00".repeat(32)}`;

/** TLS as QUIC uses it (rfc9001#8, rfc8446). */
export const cases: readonly Case[] = [
  hello({
    id: "quic/alpn-absent",
    covers: ["rfc9001#8.1/required"],
    title: "The server refuses a client without ALPN with no_application_protocol.",
    with: { hello: { without: ["application_layer_protocol_negotiation"] } },
    alert: "alert no_application_protocol",
  }),
  hello({
    id: "quic/alpn-unknown",
    covers: ["rfc9001#8.1/no-common-protocol"],
    title: "The server refuses a client whose protocols it does not know with no_application_protocol.",
    with: { alpn: ["touchstone-unknown"] },
    instead: { alpn: ["touchstone-unknown", "h3"] },
    alert: "alert no_application_protocol",
  }),
  hello({
    id: "quic/transport-parameters-absent",
    covers: ["rfc9001#8.2/missing"],
    title: "The server refuses a client without quic_transport_parameters with missing_extension.",
    with: { hello: { without: ["quic_transport_parameters"] } },
    alert: "alert missing_extension",
  }),
  hello({
    id: "quic/compatibility-mode",
    covers: ["rfc9001#8.4/session-id"],
    level: "SHOULD",
    title: "The server treats a ClientHello with a legacy session ID as a connection error of type PROTOCOL_VIOLATION.",
    with: { hello: { session: "00".repeat(32) } },
    alert: "PROTOCOL_VIOLATION",
  }),
  hello({
    id: "quic/older-tls",
    covers: ["rfc9001#4.2/older"],
    title: "The server refuses a client that offers TLS 1.2 only with protocol_version.",
    with: { hello: { replace: { supported_versions: "020303" } } },
    alert: ["alert protocol_version", "alert handshake_failure"],
  }),
  hello({
    id: "quic/hello-without-versions",
    covers: ["rfc9001#4.2/older"],
    title: "The server refuses a ClientHello without supported_versions, which is one of TLS 1.2.",
    with: { hello: { without: ["supported_versions"] } },
    alert: ["alert protocol_version", "alert missing_extension", "alert handshake_failure"],
  }),
  hello({
    id: "quic/compression-methods",
    covers: ["rfc8446#4.1.2/compression"],
    title: "The server refuses a ClientHello with another compression method than null with illegal_parameter.",
    with: { hello: { compression: "0001" } },
    alert: "alert illegal_parameter",
  }),
  hello({
    id: "quic/signature-algorithms-absent",
    covers: ["rfc8446#9.2/signature-algorithms"],
    title: "The server refuses a ClientHello without signature_algorithms with missing_extension.",
    with: { hello: { without: ["signature_algorithms"] } },
    alert: "alert missing_extension",
  }),
  hello({
    id: "quic/key-share-without-groups",
    covers: ["rfc8446#9.2/groups-with-shares"],
    title: "The server refuses a ClientHello with key_share but without supported_groups with missing_extension.",
    with: { hello: { without: ["supported_groups"] } },
    alert: "alert missing_extension",
  }),
  hello({
    id: "quic/groups-without-key-share",
    covers: ["rfc8446#9.2/groups-with-shares"],
    title: "The server refuses a ClientHello with supported_groups but without key_share with missing_extension.",
    with: { hello: { without: ["key_share"] } },
    alert: "alert missing_extension",
  }),
  hello({
    id: "quic/no-common-suite",
    covers: ["rfc8446#4.1.1/no-overlap"],
    title: "The server refuses a client whose cipher suites it does not know with handshake_failure.",
    with: { hello: { suites: "00ff" } },
    alert: "alert handshake_failure",
  }),
  hello({
    id: "quic/extension-twice",
    covers: ["rfc8446#4.2/one-of-a-type"],
    level: "MUST NOT",
    title: "The server refuses a ClientHello with the same extension twice.",
    with: { hello: { twice: "supported_versions" } },
    alert: ["alert illegal_parameter", "alert decode_error"],
  }),
  hello({
    id: "quic/octets-after-the-extensions",
    covers: ["rfc8446#6/decode-error"],
    title: "The server refuses a ClientHello with octets after its extensions with decode_error.",
    with: { hello: { trailing: "00" } },
    alert: "alert decode_error",
  }),
  hello({
    id: "quic/key-share-cut",
    covers: ["rfc8446#6/decode-error"],
    title: "The server refuses a ClientHello whose key_share ends too early with decode_error.",
    with: { hello: { replace: { key_share: "0024001d0020" } } },
    alert: "alert decode_error",
  }),
  hello({
    id: "quic/first-message-is-no-hello",
    covers: ["rfc8446#4/order"],
    title: "The server refuses another message than ClientHello at the beginning with unexpected_message.",
    with: { hello: { message: 0x14 } },
    alert: "alert unexpected_message",
  }),
  {
    id: "quic/extensions-unknown",
    spec: "rfc8446#4.2",
    covers: ["rfc8446#4.2/unknown-ignored"],
    level: "MUST",
    role: "server",
    title: "The server ignores extensions that it does not know.",
    // The changed ClientHello no longer agrees with our transcript: that the server goes on with it is all that can be seen.
    steps: [
      { do: "connect", impatient: true, hello: { add: { type: 0x7a7a, hex: "00" } } },
      { do: "await", see: { see: "frame", type: "CRYPTO", level: "initial" } },
    ],
    control: [connect],
    allowed: [{ see: { see: "frame", type: "CRYPTO", level: "initial" } }],
    fence: "connection",
  },
  {
    id: "quic/hello-retry",
    spec: "rfc8446#4.1.4",
    covers: ["rfc8446#4.1.4/hello-retry"],
    level: "MUST",
    role: "server",
    title: "The server completes a handshake with a client whose first ClientHello has no key share.",
    steps: [connectWith({ shares: [] })],
    control: [connect],
    allowed: accepted,
  },
  {
    id: "quic/finished-wrong",
    spec: "rfc8446#4.4.4",
    covers: ["rfc8446#4.4.4/verified"],
    level: "MUST",
    role: "server",
    title: "The server refuses a Finished message that is not authentic with decrypt_error.",
    steps: [connectWith({ hold: "handshake" }), packet({ level: "handshake" }, { type: "CRYPTO", hex: FINISHED_OF_ZEROS })],
    control: [connectWith({ hold: "handshake" })],
    allowed: connectionError("alert decrypt_error"),
  },
  {
    id: "quic/handshake-message-out-of-turn",
    spec: "rfc8446#4",
    covers: ["rfc8446#4/order"],
    level: "MUST",
    role: "server",
    title: "The server refuses a ClientHello in place of Finished with unexpected_message.",
    steps: [connectWith({ hold: "handshake" }), packet({ level: "handshake" }, { type: "CRYPTO", hex: "000401000000" })],
    control: [connectWith({ hold: "handshake" })],
    allowed: connectionError(["alert unexpected_message", "alert decode_error"]),
  },
  ...(
    [
      ["quic/tls-key-update", "18000001" + "00", "KeyUpdate"],
      ["quic/tls-key-update-requested", "18000001" + "01", "a KeyUpdate that asks for another"],
    ] as const
  ).map(([id, hex, words]): Case => ({
    id,
    spec: "rfc9001#6",
    covers: ["rfc9001#6/no-key-update-message"],
    level: "MUST",
    role: "server",
    title: `The server treats ${words} of TLS as a connection error of type unexpected_message.`,
    steps: [connect, { do: "fence" }, app({ type: "CRYPTO", hex: `0005${hex}` })],
    control: [connect, { do: "fence" }],
    allowed: connectionError("alert unexpected_message"),
  })),
];
