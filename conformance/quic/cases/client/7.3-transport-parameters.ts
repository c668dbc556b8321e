import { CLIENT } from "../phrases-client.ts";
import { parameters, set, wrongParameters } from "../shared/parameters.ts";
import type { Case } from "../../vocabulary.ts";

const wrong = wrongParameters(CLIENT);
/** No addresses, a connection ID in hex, and a token. */
const preferred = (id: string): string => `${"00".repeat(24)}${id}${"02".repeat(16)}`;
const good = set("preferred_address", preferred(`08${"01".repeat(8)}`));

/** Transport parameters of servers (rfc9000#7.3, #7.4, #18). */
export const cases: readonly Case[] = [
  ...parameters(CLIENT),
  wrong({
    id: "quic/client-parameter-original-id-absent",
    spec: "rfc9000#7.3",
    covers: ["rfc9000#7.3/original-absent"],
    title: "The client treats the absence of original_destination_connection_id as TRANSPORT_PARAMETER_ERROR.",
    parameters: { without: ["original_destination_connection_id"] },
  }),
  wrong({
    id: "quic/client-parameter-original-id-differs",
    spec: "rfc9000#7.3",
    covers: ["rfc9000#7.3/differs"],
    title:
      "The client treats an original_destination_connection_id that it has not chosen as TRANSPORT_PARAMETER_ERROR or PROTOCOL_VIOLATION.",
    parameters: set("original_destination_connection_id", "0102030405060708"),
    code: ["TRANSPORT_PARAMETER_ERROR", "PROTOCOL_VIOLATION"],
  }),
  ...([15, 17] as const).map((octets) =>
    wrong({
      id: `quic/client-parameter-reset-token-of-${octets}-octets`,
      covers: ["rfc9000#7.4/invalid-value"],
      title: `The client treats a stateless_reset_token of ${octets} octets as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set("stateless_reset_token", "0a".repeat(octets)),
    }),
  ),
  wrong({
    id: "quic/client-preferred-address-without-id",
    covers: ["rfc9000#18.2/preferred-address-id"],
    title: "The client treats a preferred_address with an empty connection ID as TRANSPORT_PARAMETER_ERROR.",
    parameters: set("preferred_address", preferred("00")),
    instead: good,
  }),
  ...(
    [
      ["with-a-long-id", "with a connection ID of 21 octets", preferred(`15${"01".repeat(21)}`)],
      ["cut", "that ends within its token", preferred(`08${"01".repeat(8)}`).slice(0, -8)],
      ["with-more-octets", "with octets after its token", `${preferred(`08${"01".repeat(8)}`)}0000`],
      ["of-addresses-alone", "that ends after its addresses", "00".repeat(24)],
    ] as const
  ).map(([slug, words, hex]) =>
    wrong({
      id: `quic/client-preferred-address-${slug}`,
      covers: ["rfc9000#7.4/invalid-value"],
      title: `The client treats a preferred_address ${words} as TRANSPORT_PARAMETER_ERROR.`,
      parameters: set("preferred_address", hex),
      instead: good,
    }),
  ),
];
