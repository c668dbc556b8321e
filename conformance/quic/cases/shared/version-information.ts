import { accepted, shown, type Side } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";
import { set, wrongParameters } from "./parameters.ts";

const V1 = "00000001";
export const V2 = "6b3343cf";
const UNKNOWN = "1a2a3a4a";
const NONE = "00000000";

/** Values that cannot be read (rfc9368#4): words for the id, what is wrong, and the octets. */
const MALFORMED: readonly (readonly [words: string, what: string, octets: string])[] = [
  ["empty", "without octets", ""],
  ["of-seven-octets", "of 7 octets", "00000001000000"],
  ["that-chooses-none", "that chooses version 0", `${NONE}${V1}${NONE}`],
  ["with-version-zero", "that lists version 0", `${V1}${V1}${NONE}`],
];

/** version_information (rfc9368). */
export function versionInformation(side: Side): Case[] {
  const { who, peer, id, role, begin, beginWith } = side;
  const wrong = wrongParameters(side);
  const needs = ["version-information"];
  const right = set("version_information", `${V1}${V1}`);

  return [
    ...MALFORMED.map(([words, what, octets]) =>
      wrong({
        id: id(`version-information-${words}`),
        spec: "rfc9368#4",
        covers: ["rfc9368#4/malformed"],
        title: `The ${who} treats version_information ${what} as TRANSPORT_PARAMETER_ERROR.`,
        needs,
        parameters: set("version_information", octets),
        instead: right,
      }),
    ),
    wrong({
      id: id("version-information-of-another-version"),
      spec: "rfc9368#4",
      covers: [role === "server" ? "rfc9368#4/chosen-in-use" : "rfc9368#4/negotiated"],
      title: `The ${who} closes a connection of version 1 whose ${peer} says that it has chosen version 2 with VERSION_NEGOTIATION_ERROR.`,
      needs,
      parameters: set("version_information", `${V2}${V2}${V1}`),
      instead: right,
      code: "VERSION_NEGOTIATION_ERROR",
    }),
    {
      id: id("version-information-with-unknown-versions"),
      spec: "rfc9368#3",
      covers: ["rfc9368#3/unknown-versions"],
      level: "MUST",
      role,
      title: `The ${who} accepts version_information that lists versions which nobody knows.`,
      needs,
      steps: [beginWith({ parameters: set("version_information", `${V1}${UNKNOWN}${V1}`) })],
      control: [begin],
      allowed: accepted,
    },
    shown(side, {
      id: id(role === "server" ? "server-names-its-version" : "names-its-version"),
      covers: [role === "server" ? "rfc9368#4/server-chosen" : "rfc9368#3/chosen-listed"],
      monitor: "version-information-right",
      title: `The version_information of the ${who} names version 1, which is in use${role === "server" ? "" : ", also among the available ones"}.`,
      needs,
      steps: [begin, { do: "fence" }],
    }),
  ];
}
