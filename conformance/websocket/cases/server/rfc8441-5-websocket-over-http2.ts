import type { Case } from "../../vocabulary.ts";
import { connectCases } from "../connect-cases.ts";

/** RFC 8441: what is specific to WebSockets on HTTP/2 streams. */
export const cases: readonly Case[] = connectCases({
  over: "http2",
  repeated: { by: "rfc9113#8.3/repeated", level: "MUST" },
  undefined: { by: "rfc9113#8.3/undefined", level: "MUST" },
  connectionField: { by: "rfc8441#5/no-connection-fields-refused", level: "MUST" },
  asConnection: ["rfc8441#5/stream-as-connection"],
  mayAnswer: "rfc9113#8.1.1",
  unspoken: { by: "rfc8441#4", covers: [], otherStatus: "pass" },
});
