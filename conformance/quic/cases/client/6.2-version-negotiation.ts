import { permitted } from "../phrases.ts";
import { accept, first } from "../phrases-client.ts";
import type { Case } from "../../vocabulary.ts";

/** A version that nobody has, and those of QUIC. */
const UNKNOWN = 0x1a2a_3a4a;
const OTHER = 0xfaca_de11;
const V1 = 1;

/** Version Negotiation packets (rfc9000#6.2). */
export const cases: readonly Case[] = [
  {
    id: "quic/client-no-common-version",
    spec: "rfc9000#6.2",
    covers: ["rfc9000#6.2/abandons"],
    level: "MUST",
    role: "client",
    title: "The client abandons the attempt when Version Negotiation lists no version that it knows.",
    needs: ["exit-status"],
    steps: [{ do: "negotiate", versions: [UNKNOWN, OTHER] }, { do: "wait", ms: 50 }, { do: "mark" }],
    control: [accept],
    // A client may report its failure later; what counts is that it has given up.
    allowed: [{ see: { see: "exit", ok: false } }, permitted({ see: "silence" }, "rfc9000#6.2")],
    fence: "none",
  },
  first({
    id: "quic/client-version-negotiation-with-its-version",
    spec: "rfc9000#6.2",
    covers: ["rfc9000#6.2/lists-ours"],
    title: "The client discards a Version Negotiation packet that lists the version that it has chosen.",
    steps: [{ do: "negotiate", versions: [UNKNOWN, V1] }, accept],
  }),
  first({
    id: "quic/client-version-negotiation-after-a-packet",
    spec: "rfc9000#6.2",
    covers: ["rfc9000#6.2/after-another"],
    title: "The client discards a Version Negotiation packet that comes after the handshake.",
    steps: [accept, { do: "negotiate", versions: [UNKNOWN] }],
  }),
  first({
    id: "quic/client-version-negotiation-within-the-handshake",
    spec: "rfc9000#6.2",
    covers: ["rfc9000#6.2/after-another"],
    title: "The client discards a Version Negotiation packet that comes after an Initial packet of the server.",
    steps: [
      { do: "accept", hold: "initial" },
      { do: "await", see: { see: "frame", type: "ACK", level: "initial" } },
      { do: "negotiate", versions: [UNKNOWN] },
    ],
  }),
  first({
    id: "quic/client-version-negotiation-after-a-retry",
    spec: "rfc9000#6.2",
    covers: ["rfc9000#6.2/after-another"],
    title: "The client discards a Version Negotiation packet that comes after a Retry.",
    steps: [{ do: "retry", token: "00112233" }, { do: "negotiate", versions: [UNKNOWN] }, accept],
  }),
];
