import { ofClients } from "../claims.ts";
import { claims } from "../server/7.1.5-reports.ts";
import { open } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** RFC 6455, sections 7.1.4 to 7.1.6, for clients: what a library tells its program. */
export const cases: readonly Case[] = [
  ...ofClients(claims),
  {
    id: "websocket/client-told-refused",
    spec: "rfc6455#7.1.4",
    covers: ["rfc6455#7.1.4/clean"],
    level: "MUST",
    role: "client",
    over: "http1",
    needs: ["tells"],
    title: "The client that reports the end tells of no clean close when the server has refused the handshake.",
    steps: [
      open({ start: "HTTP/1.1 403 Forbidden", instead: { Upgrade: "none", Connection: "none" }, more: ["Content-Length: 0"] }),
      { do: "hear" },
    ],
    control: [open()],
    allowed: [{ see: { see: "told", code: 1006, reason: "", clean: false } }],
    fence: "none",
  },
];
