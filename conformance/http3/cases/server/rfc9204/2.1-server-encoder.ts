import type { Case, Row, SettingName, Step } from "../../../vocabulary.ts";
import { getOn, holds } from "../../phrases.ts";

const ask = (nth: number): readonly Step[] => [
  getOn(`request ${nth}`),
  { do: "await", see: { see: "response", on: `request ${nth}`, complete: true } },
];

/** Three requests of a client that permits such a table; everything that the server sends then has these properties. */
const encodes = ({
  table,
  blocked,
  monitors,
  ...row
}: Row<"spec" | "covers"> & {
  readonly table: number;
  readonly blocked: number;
  readonly monitors: readonly [string, ...string[]];
}): Case => {
  const settings: readonly (readonly [SettingName, number])[] = [
    ["QPACK_MAX_TABLE_CAPACITY", table],
    ["QPACK_BLOCKED_STREAMS", blocked],
  ];
  const steps: readonly Step[] = [{ do: "handshake", settings }, ...ask(1), ...ask(2), ...ask(3)];
  return { level: "MUST", role: "server", ...row, steps, control: steps, allowed: holds(...monitors) };
};
const READABLE = ["sections-decode", "insertions-decode"] as const;

/** The server's encoder, with a client that reads all that it inserts (rfc9204#2.1). */
export const cases: readonly Case[] = [
  encodes({
    id: "http3/server-sections-without-table",
    spec: "rfc9204#2.1",
    covers: ["rfc9204#2.1/order"],
    title: "The server encodes sections that a client without a dynamic table can read.",
    table: 0,
    blocked: 0,
    monitors: READABLE,
  }),
  encodes({
    id: "http3/server-sections-with-table",
    spec: "rfc9204#2.1",
    covers: ["rfc9204#2.1/order", "rfc9204#2.1.1/no-forced-eviction"],
    title: "The server encodes sections and insertions that a client with a dynamic table can read.",
    table: 4_096,
    blocked: 16,
    monitors: READABLE,
  }),
  encodes({
    id: "http3/server-sections-with-small-table",
    spec: "rfc9204#4.3.1",
    covers: ["rfc9204#4.3.1/within-limit", "rfc9204#3.2.3/within-maximum"],
    title: "The server keeps to a table of 100 octets.",
    table: 100,
    blocked: 16,
    monitors: READABLE,
  }),
  encodes({
    id: "http3/server-sections-without-blocked-streams",
    spec: "rfc9204#2.1.2",
    covers: ["rfc9204#2.1.2/blocked-limit"],
    title: "The server encodes sections that need not wait for a client that permits no blocked streams.",
    table: 4_096,
    blocked: 0,
    monitors: READABLE,
  }),
  encodes({
    id: "http3/server-inserts-nothing-without-table",
    spec: "rfc9204#3.2.3",
    covers: ["rfc9204#3.2.3/zero-maximum"],
    level: "MUST NOT",
    title: "The server sends no encoder instruction to a client without a dynamic table.",
    table: 0,
    blocked: 0,
    monitors: ["no-instructions-without-table"],
  }),
  encodes({
    id: "http3/server-with-one-encoder-stream",
    spec: "rfc9204#4.2",
    covers: ["rfc9204#4.2/one-each"],
    title: "The server opens at most one encoder stream and one decoder stream.",
    table: 4_096,
    blocked: 16,
    monitors: ["one-encoder-stream", "one-decoder-stream"],
  }),
];
