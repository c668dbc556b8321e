import type { Case, Row } from "../../vocabulary.ts";
import { clientConnectionError, duringResponse, exchangeSucceeds, permitted } from "../phrases.ts";

/** A value during the response that a client may refuse, or ignore if it does not know the setting (rfc9113#6.5.2). */
const whatever = (value: number, row: Row<"covers">): Case => ({
  spec: "rfc9218#2.1",
  level: "MAY",
  role: "client",
  fence: "exit",
  steps: duringResponse({ type: "SETTINGS", settings: [["NO_RFC7540_PRIORITIES", value]] }),
  control: duringResponse({ type: "SETTINGS", settings: [["NO_RFC7540_PRIORITIES", 0]] }),
  allowed: clientConnectionError("PROTOCOL_ERROR", permitted(exchangeSucceeds[0].see, "rfc9113#6.5.2")),
  ...row,
});

/** SETTINGS_NO_RFC7540_PRIORITIES from a server (rfc9218#2.1). */
export const cases: readonly Case[] = [
  whatever(1, {
    id: "http2/client-no-rfc7540-priorities-changed",
    covers: ["rfc9218#2.1/change-refused"],
    title: "A client ignores a change of NO_RFC7540_PRIORITIES, or reports PROTOCOL_ERROR.",
  }),
  whatever(2, {
    id: "http2/client-no-rfc7540-priorities-of-two",
    covers: ["rfc9218#2.1/value-refused"],
    title: "A client reports PROTOCOL_ERROR for NO_RFC7540_PRIORITIES of 2, or ignores a setting that it does not know.",
  }),
];
