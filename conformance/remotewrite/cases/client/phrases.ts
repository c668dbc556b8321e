import type { Level } from "../../../../reference/core/index.ts";
import type { Protocol } from "../../../wire/remotewrite/build.ts";
import type { Reply, SenderCase, Step } from "../../sender-vocabulary.ts";

/** What the cases for senders share. */

export const PROTOCOLS: readonly Protocol[] = [1, 2];
/** A life in which all goes well, until the page goes away. */
export const STEADY = (protocol: Protocol): Step => ({ do: "run", protocol, vanishes: true });
/** The same with a native histogram on the page. */
export const NATIVE: Step = { ...STEADY(2), isNative: true };
/** A life with these answers. */
export const answering = (protocol: Protocol, replies: readonly Reply[], more: Partial<Step> = {}): Step => ({
  do: "run",
  protocol,
  replies,
  ...more,
});

const ref = (name: string): SenderCase["covers"][0] => `prometheus-remotewrite#${name}` as SenderCase["covers"][0];

export type Draft = {
  readonly id: string;
  readonly covers: string;
  readonly level: Level;
  readonly title: string;
  readonly rule: string;
  readonly status?: number;
  readonly step?: Step;
  readonly needs?: readonly string[];
  readonly also?: readonly { readonly rule: string; readonly status?: number; readonly by: string }[];
};
/** A case for one protocol. Its control is a life in which all goes well. */
export function made(
  protocol: Protocol,
  { id, covers, level, title, rule, status, step = STEADY(protocol), needs = [], also = [] }: Draft,
): SenderCase {
  const word = protocol === 1 ? "one" : "two";
  return {
    id: `remotewrite/sender-${id}-${word}`,
    spec: ref(covers).split("/")[0] as SenderCase["spec"],
    covers: [ref(covers)],
    level,
    role: "client",
    title: `Protocol ${protocol}: ${title.charAt(0).toLowerCase()}${title.slice(1)}.`,
    needs: [word, ...needs],
    steps: [step],
    control: [STEADY(protocol)],
    allowed: [
      { see: { see: "keeps", rule, ...(status !== undefined && { status }) } },
      ...also.map(({ by, ...see }) => ({ see: { see: "keeps", ...see } as const, by: ref(by) as SenderCase["spec"] })),
    ],
  };
}
