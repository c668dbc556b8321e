import { firstExchange, permitted, send } from "../phrases.ts";
import type { Case, ErrorName, Outcome } from "../../vocabulary.ts";

const goaway = (code: ErrorName): Outcome["see"] => ({
  see: "all",
  of: [
    { see: "GOAWAY", code },
    { see: "frame", type: "GOAWAY", where: { "last at least": 1 } },
  ],
});

/** Request reliability (rfc9113#8.7). */
export const cases: readonly Case[] = [
  {
    id: "http2/goaway-covers-what-was-answered",
    spec: "rfc9113#8.7",
    covers: ["rfc9113#8.7/last-stream", "rfc9113#9.1/goaway-before-close"],
    level: "MUST",
    role: "server",
    title: "The server's GOAWAY for a connection error names a last stream no lower than the one it has answered.",
    steps: [...firstExchange, send({ type: "DATA", stream: 0, data: "content" })],
    control: [...firstExchange, send({ type: "PING", hex: "746f756368737421" })],
    allowed: [
      { see: goaway("PROTOCOL_ERROR") },
      permitted(goaway("INTERNAL_ERROR"), "rfc9113#5.4", "warn"),
      permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
    ],
  },
];
