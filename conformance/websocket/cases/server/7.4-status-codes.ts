import { PROTOCOL_ERROR, close, framesOf, framesOnly, permitted } from "../phrases.ts";
import type { RequirementRef } from "../../../harness/case.ts";
import { type Claim, ofServer } from "../claims.ts";
import type { Outcome } from "../../vocabulary.ts";

/** RFC 6455, section 7.4: which status codes a Close frame may carry. */

/** Allowed codes. */
const GOOD: readonly (readonly [code: number, covers: RequirementRef])[] = [
  ...([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011] as const).map((code) => [code, "rfc6455#7.4.2/defined"] as const),
  ...([1012, 1013, 1014] as const).map((code) => [code, "rfc6455#7.4.2/registered"] as const),
  ...([3000, 3500, 3999] as const).map((code) => [code, "rfc6455#7.4.2/libraries"] as const),
  ...([4000, 4500, 4999] as const).map((code) => [code, "rfc6455#7.4.2/applications"] as const),
];

/** Forbidden codes; `never` for those that no Close frame carries, so that answering with them is another fault. */
const BAD: readonly { readonly code: number; readonly covers: RequirementRef; readonly never?: true }[] = [
  ...([0, 1, 125, 999] as const).map((code) => ({ code, covers: "rfc6455#7.4.2/below-1000", never: true }) as const),
  ...([1005, 1006, 1015] as const).map((code) => ({ code, covers: "rfc6455#7.4.1/reserved", never: true }) as const),
  // 1004 is reserved, which binds nobody yet.
  ...([1004, 1016, 1100, 2000, 2999] as const).map((code) => ({ code, covers: "rfc6455#7.4.2/unregistered" }) as const),
  ...([5000, 32_768, 65_535] as const).map((code) => ({ code, covers: "rfc6455#7.4.2/above" }) as const),
];

/** The RFC does not say what a receiver does about a forbidden code; failing the connection informs the sender. */
const tolerated = ({ code, never }: { readonly code: number; readonly never: boolean }): readonly Outcome[] => [
  permitted(
    never
      ? {
          see: "all",
          of: [
            { see: "closing handshake", echoes: 0 },
            { see: "not", of: { see: "closing handshake", codes: [code] } },
          ],
        }
      : { see: "closing handshake", echoes: 0 },
    "rfc6455#7.4.2",
    "warn",
  ),
];

export const claims: readonly Claim[] = [
  ...GOOD.map(([code, covers]): Claim => ({
    id: `websocket/close-code-${code}`,
    spec: "rfc6455#7.4",
    covers: [covers, "rfc6455#5.5.1/answer"],
    level: covers === "rfc6455#7.4.2/registered" ? "SHOULD" : "MUST",
    title: `The {subject} accepts a Close frame with code ${code} and answers with that code, 1000, or none.`,
    ...framesOnly(close(code, "a reason")),
    allowed: [
      { see: { see: "closing handshake", codes: [code], echoes: 0 } },
      permitted({ see: "closing handshake", codes: [1000, "none"], echoes: 0 }, "rfc6455#5.5.1"),
    ],
  })),
  ...BAD.map(({ code, covers, never = false }): Claim => ({
    id: `websocket/close-code-${code}`,
    spec: never ? "rfc6455#7.4.1" : "rfc6455#7.4.2",
    covers: [covers],
    level: "SHOULD",
    title: `The {subject} fails the connection on a Close frame with the forbidden code ${code}.`,
    ...framesOf({ wrong: [close(code)], right: [close(1000)] }),
    allowed: [
      { see: { see: "Close and end", codes: [PROTOCOL_ERROR], echoes: 0 } },
      ...tolerated({ code, never }),
      permitted({ see: "abnormal closure", echoes: 0 }, "rfc6455#7.1.7", "warn"),
    ],
  })),
  ...BAD.filter(({ code }) => [1005, 1006, 5000].includes(code)).map(({ code, covers, never = false }): Claim => ({
    id: `websocket/close-code-${code}-with-reason`,
    spec: never ? "rfc6455#7.4.1" : "rfc6455#7.4.2",
    covers: [covers],
    level: "SHOULD",
    title: `The {subject} fails the connection on a Close frame with the forbidden code ${code} and a reason.`,
    ...framesOf({ wrong: [close(code, "a reason")], right: [close(1000, "a reason")] }),
    allowed: [
      { see: { see: "Close and end", codes: [PROTOCOL_ERROR], echoes: 0 } },
      ...tolerated({ code, never }),
      permitted({ see: "abnormal closure", echoes: 0 }, "rfc6455#7.1.7", "warn"),
    ],
  })),
];

export const cases = claims.map(ofServer);
