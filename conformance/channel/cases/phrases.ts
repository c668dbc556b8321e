import type { RequirementRef } from "../../harness/case.ts";
import { sectionOf } from "../../harness/case.ts";
import type { Level } from "../../../reference/core/index.ts";
import type { ChannelCase, Message, Octets, Sight, Step } from "../vocabulary.ts";

/** What cases of every role say. */

export const say = (name: string, message: Message | string): Step => ({ do: "say", name, message });
export const octets = (name: string, text: string, count = 1, whole?: true): Step => ({
  do: "octets",
  name,
  octets: { text, ...(count === 1 ? {} : { count }) },
  ...(whole === undefined ? {} : { whole }),
});
export const until = (sight: Sight): Step => ({ do: "until", sight });
export const drop = (name: string): Step => ({ do: "drop", name });
export const close = (name: string, code: number): Step => ({ do: "close", name, code });
export const FENCE: Step = { do: "fence" };

export const ack = (offset: number): Message => ({ type: "ack", offset });
export const resize = (cols: number, rows: number): Message => ({ type: "resize", cols, rows });
export const exit = (again: boolean, code = 0): Message => ({ type: "exit", code, signal: null, again });

export const message = (on: string, like: Message, times?: number): Sight => ({
  see: "message",
  on,
  like,
  ...(times === undefined ? {} : { times }),
});
export const only = (on: string, like: Message): Sight => ({ see: "message", on, like, only: true });
export const never = (on: string, like: Message): Sight => ({ see: "no-message", on, like });
export const last = (on: string, like: Message): Sight => ({ see: "last", on, like });
export const first = (on: string, like: Message): Sight => ({ see: "first", on, like });
export const shown = (on: string, text: string, count?: number): Sight => ({
  see: "octets",
  on,
  octets: { text, ...(count === undefined ? {} : { count }) } satisfies Octets,
});
export const open = (on: string): Sight => ({ see: "open", on });
export const all = (...of: Sight[]): Sight => ({ see: "all", of });
export const closed = (on: string, code: number, error?: string): Sight => ({
  see: "closed",
  on,
  code,
  ...(error === undefined ? {} : { error }),
});
export const status = (on: string, code: number): Sight => ({ see: "status", on, status: code });

export type Told = {
  readonly id: string;
  readonly covers: RequirementRef;
  readonly title: string;
  readonly steps: readonly Step[];
  /** The steps themselves by default: then the case judges a good exchange. */
  readonly control?: readonly Step[];
  readonly see: Sight;
  readonly level?: Level;
  readonly needs?: readonly string[];
};

/** Makes the cases of one role. */
export const casesOf =
  (role: "server" | "client", who: string) =>
  (told: readonly Told[]): ChannelCase[] =>
    told.map(({ id, covers, title, steps, control = steps, see, level = "MUST", needs }) => ({
      id: `channel/${who}-${id}`,
      spec: sectionOf(covers),
      covers: [covers],
      level,
      role,
      title,
      ...(needs === undefined ? {} : { needs }),
      steps,
      control,
      allowed: [{ see }],
    }));
