import { accepted, connect, connectWith, firstFlightError, holds } from "../phrases.ts";
import type { Case, CodeName, ParameterName, ParameterSpec, Row, Step } from "../../vocabulary.ts";

const MOST_STREAMS = 2 ** 60;
const TRUNCATED = "05048000";
const RESERVED = "1b00"; // 27 = 31 * 0 + 27

/** A handshake with parameters that the server refuses. */
const wrong = ({
  parameters,
  instead,
  code = "TRANSPORT_PARAMETER_ERROR",
  ...row
}: Row<"covers"> & {
  readonly parameters: ParameterSpec;
  readonly instead?: ParameterSpec;
  readonly code?: CodeName | readonly CodeName[];
}): Case => ({
  spec: "rfc9000#18.2",
  level: "MUST",
  role: "server",
  steps: [{ do: "connect", impatient: true, parameters }],
  control: [instead === undefined ? connect : connectWith({ parameters: instead })],
  allowed: firstFlightError(code),
  fence: "connection",
  ...row,
});
const set = (name: ParameterName, value: number | string): ParameterSpec => ({ set: { [name]: value } });
const slug = (name: string): string => name.replaceAll("_", "-");

/** Values that no parameter may have, and those next to them that it may. */
const BOUNDS: readonly (readonly [ParameterName, number, number, CodeName?])[] = [
  ["max_udp_payload_size", 1_199, 1_200],
  ["ack_delay_exponent", 21, 20],
  ["max_ack_delay", 2 ** 14, 2 ** 14 - 1],
  ["active_connection_id_limit", 1, 2],
  ["initial_max_streams_bidi", 2 * MOST_STREAMS, MOST_STREAMS],
  ["initial_max_streams_uni", 2 * MOST_STREAMS, MOST_STREAMS],
];
const OF_THE_SERVER: readonly (readonly [ParameterName, string])[] = [
  ["original_destination_connection_id", "0102030405060708"],
  ["stateless_reset_token", "00".repeat(16)],
  ["preferred_address", `${"00".repeat(24)}08${"01".repeat(8)}${"02".repeat(16)}`],
  ["retry_source_connection_id", "0102030405060708"],
];
const INTEGERS: readonly ParameterName[] = [
  "max_idle_timeout",
  "initial_max_data",
  "initial_max_stream_data_bidi_local",
  "initial_max_stream_data_bidi_remote",
  "initial_max_stream_data_uni",
  "initial_max_streams_bidi",
  "initial_max_streams_uni",
];

const shows = (id: Case["id"], monitor: string, covers: Case["covers"], title: string): Case => {
  const steps: Step[] = [connect, { do: "fence" }];
  return {
    id,
    spec: covers[0].slice(0, covers[0].indexOf("/")) as Case["spec"],
    covers,
    level: "MUST",
    role: "server",
    title,
    steps,
    control: steps,
    allowed: holds(monitor),
  };
};

/** Transport parameters, one by one (rfc9000#7.3, #7.4, #18). */
export const cases: readonly Case[] = [
  ...BOUNDS.map(([name, bad, good]) =>
    wrong({
      id: `quic/parameter-${slug(name)}-out-of-bounds`,
      covers: [name.startsWith("initial_max_streams") ? "rfc9000#4.6/parameter-beyond" : "rfc9000#7.4/invalid-value"],
      title: `The server treats a ${name} of ${name.startsWith("initial_max_streams") ? "2^61" : bad} as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set(name, bad),
      instead: set(name, good),
    }),
  ),
  wrong({
    id: "quic/parameter-active-connection-id-limit-zero",
    covers: ["rfc9000#7.4/invalid-value"],
    title: "The server treats an active_connection_id_limit of 0 as TRANSPORT_PARAMETER_ERROR.",
    parameters: set("active_connection_id_limit", 0),
    instead: set("active_connection_id_limit", 2),
  }),
  ...OF_THE_SERVER.map(([name, hex]) =>
    wrong({
      id: `quic/parameter-${slug(name)}-by-a-client`,
      covers: ["rfc9000#18.2/server-only"],
      title: `The server treats ${name} of a client as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set(name, hex),
    }),
  ),
  ...INTEGERS.flatMap((name) => [
    wrong({
      id: `quic/parameter-${slug(name)}-without-value`,
      covers: ["rfc9000#7.4/invalid-value"],
      title: `The server treats an empty ${name} as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set(name, ""),
    }),
    wrong({
      id: `quic/parameter-${slug(name)}-with-more-octets`,
      covers: ["rfc9000#7.4/invalid-value"],
      title: `The server treats a ${name} with an octet after its integer as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set(name, "0a0a"),
    }),
  ]),
  wrong({
    id: "quic/parameter-disable-active-migration-with-a-value",
    covers: ["rfc9000#7.4/invalid-value"],
    title: "The server treats disable_active_migration with a value as TRANSPORT_PARAMETER_ERROR.",
    parameters: set("disable_active_migration", "01"),
    instead: set("disable_active_migration", ""),
  }),
  wrong({
    id: "quic/parameter-initial-source-connection-id-absent",
    spec: "rfc9000#7.3",
    covers: ["rfc9000#7.3/absent"],
    title: "The server treats the absence of initial_source_connection_id as TRANSPORT_PARAMETER_ERROR.",
    parameters: { without: ["initial_source_connection_id"] },
  }),
  wrong({
    id: "quic/parameter-initial-source-connection-id-differs",
    spec: "rfc9000#7.3",
    covers: ["rfc9000#7.3/differs"],
    title:
      "The server treats an initial_source_connection_id that is not that of the packets as TRANSPORT_PARAMETER_ERROR or PROTOCOL_VIOLATION.",
    parameters: set("initial_source_connection_id", "0102030405060708"),
    code: ["TRANSPORT_PARAMETER_ERROR", "PROTOCOL_VIOLATION"],
  }),
  wrong({
    id: "quic/parameter-initial-source-connection-id-too-long",
    spec: "rfc9000#7.3",
    covers: ["rfc9000#7.3/differs"],
    title: "The server treats an initial_source_connection_id of 21 octets as TRANSPORT_PARAMETER_ERROR or PROTOCOL_VIOLATION.",
    parameters: set("initial_source_connection_id", "01".repeat(21)),
    code: ["TRANSPORT_PARAMETER_ERROR", "PROTOCOL_VIOLATION"],
  }),
  wrong({
    id: "quic/parameter-twice",
    spec: "rfc9000#7.4",
    covers: ["rfc9000#7.4/duplicate"],
    level: "SHOULD",
    title: "The server treats a transport parameter that comes twice as TRANSPORT_PARAMETER_ERROR.",
    parameters: { hex: "04048000ffff" },
  }),
  wrong({
    id: "quic/parameters-truncated",
    spec: "rfc9000#7.4",
    covers: ["rfc9000#7.4/invalid-value"],
    title: "The server treats parameters that end within a value as TRANSPORT_PARAMETER_ERROR or a decode_error of TLS.",
    parameters: { hex: TRUNCATED },
    instead: { hex: RESERVED },
    code: ["TRANSPORT_PARAMETER_ERROR", "alert decode_error"],
  }),
  {
    id: "quic/parameters-unknown",
    spec: "rfc9000#7.4.2",
    covers: ["rfc9000#7.4.2/ignored"],
    level: "MUST",
    role: "server",
    title: "The server ignores transport parameters that it does not know.",
    steps: [connectWith({ parameters: { hex: "1b0401020304403a00ff00000000000000020aff" } })],
    control: [connect],
    allowed: accepted,
  },
  {
    id: "quic/parameters-with-their-defaults",
    spec: "rfc9000#18.2",
    covers: ["rfc9000#18.2/defaults"],
    level: "MUST",
    role: "server",
    title: "The server accepts a client that sends no parameter but initial_source_connection_id.",
    steps: [
      connectWith({
        parameters: {
          without: [
            "max_idle_timeout",
            "initial_max_data",
            "initial_max_stream_data_bidi_local",
            "initial_max_stream_data_bidi_remote",
            "initial_max_stream_data_uni",
            "initial_max_streams_bidi",
            "initial_max_streams_uni",
            "active_connection_id_limit",
          ],
        },
      }),
    ],
    control: [connect],
    allowed: accepted,
  },
  shows(
    "quic/server-parameters-in-bounds",
    "parameters-in-bounds",
    ["rfc9000#18.2/sent-in-bounds"],
    "The server's transport parameters are within their bounds.",
  ),
  shows(
    "quic/server-confirms-the-original-id",
    "original-id-confirmed",
    ["rfc9000#7.3/original-sent"],
    "The server sends the connection ID of the client's first packet as original_destination_connection_id.",
  ),
  shows(
    "quic/server-confirms-its-source-id",
    "source-id-confirmed",
    ["rfc9000#7.3/source-sent"],
    "The server sends the connection ID of its first packet as initial_source_connection_id.",
  ),
  shows(
    "quic/server-without-retry-names-none",
    "no-retry-id",
    ["rfc9000#7.3/retry-sent"],
    "The server sends retry_source_connection_id only after a Retry.",
  ),
];
