import { accepted, shown, type Side } from "../phrases.ts";
import type { Case, CodeName, ParameterName, ParameterSpec, Row } from "../../vocabulary.ts";

const MOST_STREAMS = 2 ** 60;
const TRUNCATED = "05048000";
const RESERVED = "1b00"; // 27 = 31 * 0 + 27

export const set = (name: ParameterName, value: number | string): ParameterSpec => ({ set: { [name]: value } });
export const slug = (name: string): string => name.replaceAll("_", "-");

/** A handshake with parameters that the subject refuses. */
export const wrongParameters =
  ({ role, begin, beginWith, tryWith, firstError, fence }: Side) =>
  ({
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
    role,
    steps: [tryWith(parameters)],
    control: [instead === undefined ? begin : beginWith({ parameters: instead })],
    allowed: firstError(code),
    fence,
    ...row,
  });

/** Values that no parameter may have, and those next to them that it may. */
const BOUNDS: readonly (readonly [ParameterName, number, number, CodeName?])[] = [
  ["max_udp_payload_size", 1_199, 1_200],
  ["ack_delay_exponent", 21, 20],
  ["max_ack_delay", 2 ** 14, 2 ** 14 - 1],
  ["active_connection_id_limit", 1, 2],
  ["initial_max_streams_bidi", 2 * MOST_STREAMS, MOST_STREAMS],
  ["initial_max_streams_uni", 2 * MOST_STREAMS, MOST_STREAMS],
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

const OTHERS: readonly ParameterName[] = ["max_idle_timeout", "active_connection_id_limit"];
/** A server of HTTP/3 may refuse a client that permits no streams to it (rfc9114#6.2). */
const OF_HTTP3: readonly ParameterName[] = ["initial_max_data", "initial_max_stream_data_uni", "initial_max_streams_uni"];
const NEITHER = [...INTEGERS, ...OTHERS].filter((name) => !OF_HTTP3.includes(name));

/** Transport parameters that both ends send, one by one (rfc9000#7.3, #7.4, #18). */
export function parameters(side: Side): Case[] {
  const { who, peer, id, role } = side;
  const wrong = wrongParameters(side);
  return [
    ...BOUNDS.map(([name, bad, good]) =>
      wrong({
        id: id(`parameter-${slug(name)}-out-of-bounds`),
        covers: [name.startsWith("initial_max_streams") ? "rfc9000#4.6/parameter-beyond" : "rfc9000#7.4/invalid-value"],
        title: `The ${who} treats a ${name} of ${name.startsWith("initial_max_streams") ? "2^61" : bad} as TRANSPORT_PARAMETER_ERROR.`,
        parameters: set(name, bad),
        instead: set(name, good),
      }),
    ),
    wrong({
      id: id("parameter-active-connection-id-limit-zero"),
      covers: ["rfc9000#7.4/invalid-value"],
      title: `The ${who} treats an active_connection_id_limit of 0 as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set("active_connection_id_limit", 0),
      instead: set("active_connection_id_limit", 2),
    }),
    ...INTEGERS.flatMap((name) => [
      wrong({
        id: id(`parameter-${slug(name)}-without-value`),
        covers: ["rfc9000#7.4/invalid-value"],
        title: `The ${who} treats an empty ${name} as TRANSPORT_PARAMETER_ERROR.`,
        parameters: set(name, ""),
      }),
      wrong({
        id: id(`parameter-${slug(name)}-with-more-octets`),
        covers: ["rfc9000#7.4/invalid-value"],
        title: `The ${who} treats a ${name} with an octet after its integer as TRANSPORT_PARAMETER_ERROR.`,
        parameters: set(name, "0a0a"),
      }),
    ]),
    wrong({
      id: id("parameter-disable-active-migration-with-a-value"),
      covers: ["rfc9000#7.4/invalid-value"],
      title: `The ${who} treats disable_active_migration with a value as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set("disable_active_migration", "01"),
      instead: set("disable_active_migration", ""),
    }),
    wrong({
      id: id("parameter-initial-source-connection-id-absent"),
      spec: "rfc9000#7.3",
      covers: ["rfc9000#7.3/absent"],
      title: `The ${who} treats the absence of initial_source_connection_id as TRANSPORT_PARAMETER_ERROR.`,
      parameters: { without: ["initial_source_connection_id"] },
    }),
    wrong({
      id: id("parameter-initial-source-connection-id-differs"),
      spec: "rfc9000#7.3",
      covers: ["rfc9000#7.3/differs"],
      title: `The ${who} treats an initial_source_connection_id that is not that of the packets as TRANSPORT_PARAMETER_ERROR or PROTOCOL_VIOLATION.`,
      parameters: set("initial_source_connection_id", "0102030405060708"),
      code: ["TRANSPORT_PARAMETER_ERROR", "PROTOCOL_VIOLATION"],
    }),
    wrong({
      id: id("parameter-initial-source-connection-id-too-long"),
      spec: "rfc9000#7.3",
      covers: ["rfc9000#7.3/differs"],
      title: `The ${who} treats an initial_source_connection_id of 21 octets as TRANSPORT_PARAMETER_ERROR or PROTOCOL_VIOLATION.`,
      parameters: set("initial_source_connection_id", "01".repeat(21)),
      code: ["TRANSPORT_PARAMETER_ERROR", "PROTOCOL_VIOLATION"],
    }),
    wrong({
      id: id("parameter-twice"),
      spec: "rfc9000#7.4",
      covers: ["rfc9000#7.4/duplicate"],
      level: "SHOULD",
      title: `The ${who} treats a transport parameter that comes twice as TRANSPORT_PARAMETER_ERROR.`,
      parameters: { hex: "04048000ffff" },
    }),
    wrong({
      id: id("parameters-truncated"),
      spec: "rfc9000#7.4",
      covers: ["rfc9000#7.4/invalid-value"],
      title: `The ${who} treats parameters that end within a value as TRANSPORT_PARAMETER_ERROR or a decode_error of TLS.`,
      parameters: { hex: TRUNCATED },
      instead: { hex: RESERVED },
      code: ["TRANSPORT_PARAMETER_ERROR", "alert decode_error"],
    }),
    {
      id: id("parameters-unknown"),
      spec: "rfc9000#7.4.2",
      covers: ["rfc9000#7.4.2/ignored"],
      level: "MUST",
      role,
      title: `The ${who} ignores transport parameters that it does not know.`,
      steps: [side.beginWith({ parameters: { hex: "1b0401020304403a00ff00000000000000020aff" } })],
      control: [side.begin],
      allowed: accepted,
    },
    {
      id: id("parameters-with-their-defaults"),
      spec: "rfc9000#18.2",
      covers: ["rfc9000#18.2/defaults"],
      level: "MUST",
      role,
      title: `The ${who} accepts a ${peer} that sends no parameter but those about connection IDs and ${role === "server" ? "the streams of HTTP/3" : "credit"}.`,
      steps: [
        // A client needs streams for its request, and credit for them.
        side.beginWith({ parameters: { without: role === "server" ? NEITHER : OTHERS } }),
      ],
      control: [side.begin],
      allowed: accepted,
    },
    shown(side, {
      id: id(`${who}-parameters-in-bounds`.replace("client-", "")),
      covers: ["rfc9000#18.2/sent-in-bounds"],
      monitor: "parameters-in-bounds",
      title: `The ${who}'s transport parameters are within their bounds.`,
      steps: [side.begin, { do: "fence" }],
    }),
    shown(side, {
      id: id(`${who}-confirms-its-source-id`.replace("client-", "")),
      covers: ["rfc9000#7.3/source-sent"],
      monitor: "source-id-confirmed",
      title: `The ${who} sends the connection ID of its first packet as initial_source_connection_id.`,
      steps: [side.begin, { do: "fence" }],
    }),
  ];
}
