import { accepted, acceptedWith, connectWith, discarded, packet, PING, SERVER, shown } from "../phrases.ts";
import { set, wrongParameters } from "../shared/parameters.ts";
import { V2, versionInformation } from "../shared/version-information.ts";
import type { Case, Row, Step } from "../../vocabulary.ts";

const connect: Step = connectWith({ version: 2 });
const update: Step = packet({ level: "application", update: "keys" }, PING);
const fence: Step = { do: "fence" };

/** A connection of version 2. */
const second = (row: Row<"spec" | "covers" | "steps" | "control" | "allowed">): Case => ({
  level: "MUST",
  role: "server",
  needs: ["version-2"],
  ...row,
});

/** Version 2 (rfc9369), and how a version is agreed (rfc9368). */
export const cases: readonly Case[] = [
  ...versionInformation(SERVER),
  wrongParameters(SERVER)({
    id: "quic/version-information-without-the-chosen-version",
    spec: "rfc9368#4",
    covers: ["rfc9368#4/chosen-available"],
    title: "The server treats version_information whose available versions lack the chosen one as TRANSPORT_PARAMETER_ERROR.",
    needs: ["version-information"],
    parameters: set("version_information", `00000001${V2}`),
    instead: set("version_information", "0000000100000001"),
  }),
  second({
    id: "quic/version-2",
    spec: "rfc9369#3",
    covers: ["rfc9369#3/implements"],
    title: "The server completes a handshake of version 2, which its Version Negotiation packet lists.",
    steps: [connect],
    control: [connectWith({})],
    allowed: accepted,
  }),
  second({
    id: "quic/version-2-key-update",
    spec: "rfc9369#3.3.2",
    covers: ["rfc9369#3.3.2/labels"],
    title: "The server accepts a key update of version 2, and answers with the new keys.",
    steps: [connect, fence, update, { do: "await", see: { see: "key update" } }],
    control: [connect, fence, packet({ level: "application" }, PING)],
    allowed: acceptedWith({ see: "key update" }),
  }),
  second({
    id: "quic/version-2-packet-of-version-1",
    spec: "rfc9369#4.1",
    covers: ["rfc9369#4.1/other-versions-dropped"],
    title: "The server drops a Handshake packet of version 1 on a connection of version 2.",
    steps: [connectWith({ version: 2, hold: "handshake" }), packet({ level: "handshake", version: "v1" }, PING)],
    control: [connectWith({ version: 2, hold: "handshake" }), packet({ level: "handshake" }, PING)],
    allowed: discarded,
  }),
  second({
    id: "quic/version-2-ticket-of-version-1",
    spec: "rfc9369#5",
    covers: ["rfc9369#5/tickets"],
    title: "The server makes a full handshake of version 2 with a client whose ticket is of version 1.",
    needs: ["version-2", "resumption"],
    steps: [connectWith({ version: 2, resume: {} })],
    control: [connect],
    allowed: acceptedWith({ see: "full handshake" }),
  }),
  shown(SERVER, {
    id: "quic/version-2-with-version-information",
    covers: ["rfc9369#4/version-information"],
    monitor: "version-information-sent",
    title: "A server that speaks version 2 sends version_information.",
    needs: ["version-2"],
    steps: [connectWith({}), fence],
  }),
];
