import { connect, SERVER, shown } from "../phrases.ts";
import { parameters, set, slug, wrongParameters } from "../shared/parameters.ts";
import type { Case, ParameterName, Step } from "../../vocabulary.ts";

const OF_THE_SERVER: readonly (readonly [ParameterName, string])[] = [
  ["original_destination_connection_id", "0102030405060708"],
  ["stateless_reset_token", "00".repeat(16)],
  ["preferred_address", `${"00".repeat(24)}08${"01".repeat(8)}${"02".repeat(16)}`],
  ["retry_source_connection_id", "0102030405060708"],
];
const wrong = wrongParameters(SERVER);
const steps: readonly Step[] = [connect, { do: "fence" }];

/** Transport parameters (rfc9000#7.3, #7.4, #18). */
export const cases: readonly Case[] = [
  ...parameters(SERVER),
  ...OF_THE_SERVER.map(([name, hex]) =>
    wrong({
      id: `quic/parameter-${slug(name)}-by-a-client`,
      covers: ["rfc9000#18.2/server-only"],
      title: `The server treats ${name} of a client as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set(name, hex),
    }),
  ),
  shown(SERVER, {
    id: "quic/server-confirms-the-original-id",
    covers: ["rfc9000#7.3/original-sent"],
    monitor: "original-id-confirmed",
    title: "The server sends the connection ID of the client's first packet as original_destination_connection_id.",
    steps,
  }),
  shown(SERVER, {
    id: "quic/server-without-retry-names-none",
    covers: ["rfc9000#7.3/retry-sent"],
    monitor: "no-retry-id",
    title: "The server sends retry_source_connection_id only after a Retry.",
    steps,
  }),
];
