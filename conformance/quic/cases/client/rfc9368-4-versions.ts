import { CLIENT } from "../phrases-client.ts";
import { set, wrongParameters } from "../shared/parameters.ts";
import { versionInformation } from "../shared/version-information.ts";
import type { Case } from "../../vocabulary.ts";

/** How a version is agreed (rfc9368). */
export const cases: readonly Case[] = [
  ...versionInformation(CLIENT),
  wrongParameters(CLIENT)({
    id: "quic/client-version-information-of-no-version-of-its-own",
    spec: "rfc9368#4",
    covers: ["rfc9368#4/chosen-offered"],
    title: "The client closes a connection whose server says that it has chosen a version that the client has not offered.",
    needs: ["version-information"],
    parameters: set("version_information", "1a2a3a4a00000001"),
    instead: set("version_information", "0000000100000001"),
    code: "VERSION_NEGOTIATION_ERROR",
  }),
];
