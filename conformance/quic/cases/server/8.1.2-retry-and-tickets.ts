import { acceptedWith, connect, connectWith, permitted, SERVER, shown } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

const fence: Step = { do: "fence" };

/** Servers that ask for tokens (rfc9000#8.1.2, #17.2.5), and the tickets that servers give (rfc9001#4.6, rfc8446#4.6.1). */
export const cases: readonly Case[] = [
  {
    id: "quic/retry-completes",
    spec: "rfc9000#8.1.2",
    covers: ["rfc9000#8.1.2/validates"],
    level: "MUST",
    role: "server",
    title: "The server completes a handshake with a client that repeats the token of its Retry.",
    needs: ["retry"],
    steps: [connect],
    control: [connect],
    allowed: acceptedWith({ see: "retry" }),
  },
  {
    id: "quic/retry-token-invalid",
    spec: "rfc9000#8.1.2",
    covers: ["rfc9000#8.1.2/invalid-token"],
    level: "SHOULD",
    role: "server",
    title: "The server closes the connection with INVALID_TOKEN when the token of its Retry comes back changed.",
    needs: ["retry"],
    steps: [connectWith({ hold: "initial", spoils: true }), fence],
    control: [connect],
    // It may discard such a packet, and let the client wait.
    allowed: [{ see: { see: "close", code: "INVALID_TOKEN" } }, permitted({ see: "close", code: "any error" }, "rfc9000#11", "warn")],
  },
  shown(SERVER, {
    id: "quic/server-confirms-the-id-of-its-retry",
    covers: ["rfc9000#7.3/retry-sent"],
    monitor: "retry-id-confirmed",
    title: "The server sends the source ID of its Retry as retry_source_connection_id.",
    needs: ["retry"],
    steps: [connect, fence],
  }),
  shown(SERVER, {
    id: "quic/server-chooses-a-new-id-for-its-retry",
    covers: ["rfc9000#17.2.5.1/server-differs"],
    level: "MUST NOT",
    monitor: "retry-id-fresh",
    title: "The source ID of the server's Retry is not the destination ID of the client's packet.",
    needs: ["retry"],
    steps: [connect, fence],
  }),
  shown(SERVER, {
    id: "quic/server-tickets-for-early-data",
    covers: ["rfc9001#4.6.1/server-early-octets"],
    level: "MUST NOT",
    monitor: "tickets-early-limit",
    title: "The server sends no NewSessionTicket whose early_data has another value than 0xffffffff.",
    needs: ["tickets"],
    steps: [connect, fence],
  }),
  shown(SERVER, {
    id: "quic/server-tickets-for-seven-days",
    covers: ["rfc8446#4.6.1/lifetime"],
    level: "MUST NOT",
    monitor: "tickets-lifetime",
    title: "The server sends no NewSessionTicket that is valid for more than seven days.",
    needs: ["tickets"],
    steps: [connect, fence],
  }),
];
