import { listOf } from "../../harness/shapes.ts";
import type { CodeSight, Sight } from "../vocabulary.ts";
import type { Shown } from "./shown.ts";

/** What sights look at. */
export type View = {
  /** Since the last `mark`. */
  readonly seen: readonly Shown[];
  readonly all: readonly Shown[];
  readonly fenced: boolean;
  /** The last packet that a step sent was acknowledged. */
  readonly isAcknowledged: boolean;
  readonly isOver: boolean;
  readonly monitor: (name: string) => string | undefined;
};
type Is<Name extends Shown["is"]> = Extract<Shown, { readonly is: Name }>;

export const closedIn = (seen: readonly Shown[]): Is<"closed"> | undefined => seen.find((one): one is Is<"closed"> => one.is === "closed");

const hasCode = (code: string, wanted: CodeSight): boolean =>
  wanted === "any error" ? code !== "NO_ERROR" : listOf(wanted).some((one) => one === code);

const framesOf = (seen: readonly Shown[], type: string): Is<"frame">[] =>
  seen.filter((one): one is Is<"frame"> => one.is === "frame" && one.frame.type === type);

/** Whether the sight has been seen. */
export function isSeen(sight: Sight, view: View): boolean {
  const { seen, all, fenced, isOver } = view;
  switch (sight.see) {
    case "close": {
      const closed = closedIn(all);
      return closed?.layer === "transport" && hasCode(closed.code, sight.code);
    }
    case "application close":
      return closedIn(all)?.layer === "application";
    case "stateless reset":
      return all.some(({ is }) => is === "stateless reset");
    case "frame":
      return framesOf(seen, sight.type).some(
        ({ level, frame }) =>
          (sight.level === undefined || sight.level === level) &&
          Object.entries(sight.where ?? {}).every(([name, wanted]) => frame.members[name] === wanted),
      );
    case "frames": {
      const count = framesOf(seen, sight.type).length;
      return fenced && !isOver && count >= (sight.atLeast ?? 0) && count <= (sight.atMost ?? Number.POSITIVE_INFINITY);
    }
    case "retry":
      return seen.some(({ is }) => is === "retry");
    case "version negotiation":
      return seen.some((one) => one.is === "versions" && (sight.version === undefined || one.versions.includes(sight.version)));
    case "established":
      return all.some(({ is }) => is === "established");
    case "key update":
      return all.some(({ is }) => is === "phase");
    case "silence":
      return fenced && !seen.some(({ is }) => is === "datagram");
    case "resumed":
      return seen.some((one) => one.is === "established" && one.resumed);
    case "full handshake":
      return seen.some((one) => one.is === "established" && !one.resumed);
    case "early data":
      return seen.some((one) => one.is === "early data" && one.accepted === sight.accepted);
    case "acknowledged":
      return view.isAcknowledged;
    case "discarded":
      return fenced && !isOver && !view.isAcknowledged;
    case "accepted":
      return fenced && !isOver;
    case "exit":
      return all.some((one) => one.is === "exit" && (one.code === 0) === sight.ok);
    case "holds":
      return fenced && view.monitor(sight.monitor) === undefined;
    case "all":
      return sight.of.every((one) => isSeen(one, view));
  }
}

/** Whether it ends the connection, so that no fence can be answered afterwards. */
export const isTerminal = ({ see }: Sight): boolean => ["close", "application close", "stateless reset", "exit"].includes(see);
