import type { Case } from "../../vocabulary.ts";
import { connectCases } from "../connect-cases.ts";

/** RFC 9220: what is specific to WebSockets on HTTP/3 streams. Most rules are those of RFC 8441, which has the requirements. */
export const cases: readonly Case[] = connectCases({
  over: "http3",
  repeated: { by: "rfc9114#4.3.1/repeated", level: "SHOULD" },
  undefined: { by: "rfc9114#4.3/undefined", level: "MUST" },
  connectionField: { by: "rfc9114#4.2/connection-specific", level: "MUST" },
  asConnection: ["rfc8441#5/stream-as-connection", "rfc9220#3/stream-as-connection"],
  mayAnswer: "rfc9114#4.1.2",
  unspoken: { by: "rfc9220#3", covers: ["rfc9220#3/unknown-protocol"], otherStatus: "warn" },
});
