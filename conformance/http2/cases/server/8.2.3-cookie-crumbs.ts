import { answeredLikeFirst, firstExchange, get, handshake, send } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Cookies split into several fields (rfc9113#8.2.3). */
export const cases: readonly Case[] = [
  {
    id: "http2/cookie-crumbs",
    spec: "rfc9113#8.2.3",
    covers: ["rfc9113#8.2.3/crumbs"],
    level: "MUST",
    role: "server",
    title: "The server accepts a cookie split into several fields.",
    steps: [...firstExchange, send(get(3, ["cookie", "a=b"], ["cookie", "c=d; e=f"], ["accept", "*/*"], ["cookie", "g=h"]))],
    control: [...firstExchange, send(get(3, ["cookie", "a=b; c=d; e=f; g=h"]))],
    allowed: answeredLikeFirst(3),
  },
  {
    id: "http2/cookie-crumbs-joined",
    spec: "rfc9113#8.2.3",
    covers: ["rfc9113#8.2.3/joined"],
    level: "MUST",
    role: "server",
    needs: ["echo"],
    title: "The server joins a cookie split into several fields with a semicolon and a space before the application reads it.",
    fence: { stream: 1 },
    steps: [handshake, send(get(1, ["cookie", "a=b"], ["cookie", "c=d; e=f"], ["accept", "*/*"], ["cookie", "g=h"]))],
    control: [handshake, send(get(1, ["cookie", "a=b; c=d; e=f; g=h"]))],
    allowed: [{ see: { see: "text", stream: 1, text: "a=b; c=d; e=f; g=h" } }],
  },
];
