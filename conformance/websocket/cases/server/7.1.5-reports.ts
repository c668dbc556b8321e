import type { RequirementRef } from "../../../harness/case.ts";
import { FAIL_REQUEST } from "../../limits.ts";
import type { Told } from "../../telling.ts";
import { type Claim, ofServer } from "../claims.ts";
import { awaitMessages, close, open, permitted, send, text } from "../phrases.ts";
import type { Case, FrameSpec, Step } from "../../vocabulary.ts";

/** RFC 6455, sections 7.1.4 to 7.1.6: what a library tells its program about the end, if the program reports it; and a program that fails. */

const HELLO = text("Hello");
const REASON = "Zürich – 東京 😀";
const hear: Step = { do: "hear" };
const CODE = "rfc6455#7.1.5/code";
const WHY = "rfc6455#7.1.6/reason";

type Report = {
  readonly id: string;
  readonly title: string;
  readonly covers: RequirementRef;
  readonly does: readonly Step[];
  readonly told: Partial<Told>;
};
const report = ({ id, title, covers, does, told }: Report): Claim => ({
  id: `websocket/told-${id}`,
  spec: covers.split("/")[0] as Case["spec"],
  covers: [covers],
  level: "MUST",
  needs: ["tells"],
  title,
  steps: [open(), send(HELLO), awaitMessages(), ...does, hear],
  control: [open(), send(HELLO)],
  allowed: [{ see: { see: "told", ...told } }],
  fence: "none",
});
/** `[id, what]`, the Close frames, and the report of them. */
const closed = ([id, what]: readonly [string, string], frames: readonly FrameSpec[], told: Told, covers: RequirementRef = CODE): Claim =>
  report({
    id,
    title: `The {subject} that reports the end tells the code and the reason of ${what}.`,
    covers,
    does: [send(...frames)],
    told,
  });

const reports: readonly Claim[] = [
  ...[1000, 1001, 1011, 3000, 4999].map((code) =>
    closed([`code-${code}`, `a Close frame with ${code}`], [close(code, "enough")], { code, reason: "enough", clean: true }),
  ),
  closed(["reason-empty", "a Close frame with a code alone"], [close(1001)], { code: 1001, reason: "", clean: true }, WHY),
  closed(
    ["reason-in-utf8", "a Close frame whose reason is not ASCII"],
    [close(1000, REASON)],
    { code: 1000, reason: REASON, clean: true },
    WHY,
  ),
  closed(
    ["longest-reason", "a Close frame with a reason of 123 octets"],
    [close(1000, "r".repeat(123))],
    { code: 1000, reason: "r".repeat(123), clean: true },
    WHY,
  ),
  closed(["no-code", "a Close frame without a payload as 1005 without a reason"], [close()], { code: 1005, reason: "", clean: true }),
  closed(["first-of-two", "the first of two Close frames"], [close(1001, "first"), close(1000, "second")], {
    code: 1001,
    reason: "first",
    clean: true,
  }),
  ...(["close", "reset"] as const).map((how) =>
    report({
      id: `lost-by-${how === "close" ? "an-end" : "a-reset"}`,
      title: `The {subject} that reports the end tells 1006, and no clean close, when the connection ends ${how === "close" ? "in order" : "by a reset"} without a Close frame.`,
      covers: CODE,
      does: [{ do: how }],
      told: { code: 1006, reason: "", clean: false },
    }),
  ),
  report({
    id: "unclean-after-a-breach",
    title: "The {subject} that reports the end tells of no clean close when it has failed the connection.",
    covers: "rfc6455#7.1.4/clean",
    does: [send({ opcode: 3, text: "x" })],
    told: { clean: false },
  }),
];

export const claims: readonly Claim[] = [
  ...reports,
  {
    id: "websocket/program-fails",
    spec: "rfc6455#7.4.1",
    covers: ["rfc6455#7.4.1/unexpected"],
    level: "SHOULD",
    needs: ["fails on request"],
    title: "The {subject} whose program fails closes the connection with 1011.",
    steps: [open(), send(HELLO), awaitMessages(), send(text(FAIL_REQUEST))],
    control: [open(), send(HELLO)],
    allowed: [
      { see: { see: "Close and end", codes: [1011], echoes: 1 } },
      permitted({ see: "Close and end", echoes: 1 }, "rfc6455#7.4.1", "warn"),
    ],
    fence: "none",
  },
];

export const cases = claims.map(ofServer);
