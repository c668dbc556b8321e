import type { Budget } from "../../../harness/case.ts";
import type { Sight, Step } from "../../vocabulary.ts";
import { all, type Allowed, answer, call, callWith, fails, lastly, type Row } from "./phrases.ts";

/** Calls and frames in harmful numbers or sizes: only on request (`--abuse`), each with what it may cost. */

/** Our server and grpc-java used at most 8 MiB and 390 ms, but for inflated messages; the budget is several times that, so noise does not decide. */
const BUDGET: Budget = { memoryMiB: 64, cpuMs: 1_000 };
/** What the usual limit of 4 MB permits all calls together; they used 62 and 127 MiB, and 560 ms. */
const INFLATED: Budget = { memoryMiB: 160, cpuMs: 1_500 };
const MANY = 40;
const repeat = (times: number, ...steps: Step[]): Step => ({ do: "repeat", times, steps });
const LIMIT: Row["covers"] = "rpc-status#codes/too-large";
const FLOOD: Row["covers"] = ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"];
const INFLATES = 16_000_000;
/** Of one frame; servers permit 8 to 16 KB. */
const LARGE_LIST = Array.from({ length: 4 }, (_, at) => [`x-large-${at}`, "v".repeat(3_900)] as const);

/** The attack is stopped, or borne: the budget decides. */
const stopped: Allowed = [
  { see: { see: "goaway", code: "ENHANCE_YOUR_CALM" } },
  { see: { see: "goaway", code: "any error" }, by: "rfc9113#5.4" },
  { see: { see: "closed" }, by: "rfc9113#5.4.1" },
  { see: all(), by: "rfc9113#10.5" },
];
const over = (number: number): Sight => ({
  see: "any",
  of: [
    answer({}, number),
    { see: "failed", call: number, status: "any" },
    { see: "http", call: number, status: [400, 413, 431] },
    { see: "reset", call: number, code: "any error" },
  ],
});

export const rows: readonly Row[] = (
  [
    {
      id: "abuse-announced",
      title: `Each of ${MANY} calls whose message announces 4 GB fails before its octets come, and costs no memory for them.`,
      covers: LIMIT,
      needs: ["message-limit"],
      steps: [repeat(MANY, call(1), { do: "say", call: 1, messages: [{ length: 0xffff_fff0, size: 1_000 }] })],
      control: [repeat(5, call(1), lastly(1))],
      allowed: fails("RESOURCE_EXHAUSTED", {}, 2 * MANY - 1),
    },
    {
      id: "abuse-inflated",
      title: `Each of ${MANY} messages that inflate to 16 MB fails, and is not inflated beyond the limit.`,
      covers: LIMIT,
      needs: ["message-limit", "gzip"],
      steps: [repeat(MANY, callWith(1, ["{rpc}-encoding", "gzip"]), lastly(1, [{ compress: "gzip", size: INFLATES }], { patient: true }))],
      control: [repeat(5, callWith(1, ["{rpc}-encoding", "gzip"]), lastly(1, [{ compress: "gzip", payload: "touchstone" }]))],
      allowed: fails("RESOURCE_EXHAUSTED", {}, 2 * MANY - 1),
      budget: INFLATED,
    },
    {
      id: "abuse-header-lists",
      title: `A header list of 15 KB in each of ${MANY} calls does not end the connection for the other calls.`,
      covers: "rfc9113#10.5.1/block-processed",
      level: "SHOULD",
      steps: [repeat(MANY, callWith(1, ...LARGE_LIST), lastly(1)), callWith(2 * MANY + 1, ["x-text", "small"]), lastly(2 * MANY + 1)],
      control: [repeat(5, callWith(1, ["x-text", "small"]), lastly(1))],
      allowed: all(over(1), over(2 * MANY - 1), answer({ metadata: { "x-text": "small" } }, 2 * MANY + 1)),
    },
    {
      id: "abuse-resets",
      title: "The server stops, or bears, 4,000 calls that are reset at once (CVE-2023-44487).",
      covers: FLOOD,
      steps: [repeat(4_000, call(1), { do: "reset", call: 1, code: "CANCEL" })],
      control: [repeat(5, call(1), lastly(1))],
      allowed: stopped,
    },
    {
      id: "abuse-pings",
      title: "The server stops, or bears, 10,000 PING frames between calls.",
      covers: FLOOD,
      steps: [call(1), lastly(1), repeat(10_000, { do: "frames", frames: [{ type: "PING", hex: "746f756368737421" }] })],
      control: [call(1), lastly(1)],
      allowed: stopped,
    },
  ] satisfies Row[]
).map((row): Row => ({ budget: BUDGET, ...row, group: "abuse" }));
