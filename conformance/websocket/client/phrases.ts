import type { RequirementRef } from "../../harness/case.ts";
import { DEFLATE, open, permitted } from "../phrases.ts";
import type { Case, FrameSpec, Handshake, Sight, Step } from "../vocabulary.ts";

/** Cases for clients: what they have in common, and how those for servers become theirs. */

type Allowed = Case["allowed"];

/** The handshake is given up, as it must be; to say Close where nothing was opened is odd. */
export const givesUp = (...others: Allowed[number][]): Allowed => [
  { see: { see: "handshake failed" } },
  ...others,
  permitted({ see: "Close and end", echoes: 0 }, "rfc6455#7.1.7", "warn"),
  permitted({ see: "handshake failed late" }, "rfc6455#7.1.7", "warn"),
];

/** An answer against a good one. */
export const answerOf = (wrong: Handshake, right: Handshake = {}): Pick<Case, "role" | "steps" | "control"> => ({
  role: "client",
  steps: [open(wrong)],
  control: [open(right)],
});

/** An answer that agrees to permessage-deflate, with what the client asked for, and these parameters. */
export const agreeing = (parameters = ""): Handshake => ({ more: [`{deflate}${parameters === "" ? "" : `; ${parameters}`}`] });

/** What only servers owe, and what a client owes in its place. */
const INSTEAD: Readonly<Record<string, RequirementRef | "none">> = {
  "rfc6455#5.1/unmasked": "rfc6455#5.1/masked",
  "rfc6455#5.1/unmasked-code": "rfc6455#5.1/masked-code",
  "rfc6455#5.1/server-masks-not": "rfc6455#5.1/client-masks",
  "rfc6455#5.5.1/end": "none",
  "rfc6455#7.1.1/server-first": "none",
  "rfc7692#7.1.1.1/server-no-takeover": "rfc7692#7.1.1.2/client-no-takeover",
  "rfc7692#7.1.2.1/server-window": "rfc7692#7.1.2.2/client-window",
};
const SECTION: Readonly<Record<string, Case["spec"]>> = {
  "rfc7692#7.1.1.1": "rfc7692#7.1.1.2",
  "rfc7692#7.1.1.2": "rfc7692#7.1.1.1",
  "rfc7692#7.1.2.1": "rfc7692#7.1.2.2",
};
/** What a server may offer, a client need not: whatever is about our side alone is always to be had. */
const NEEDS: Readonly<Record<string, string>> = {
  "client takes over": "deflate",
  "server no takeover": "asks nothing",
  "client no takeover": "asks nothing",
  "server window": "client window",
};
const MONITORS: Readonly<Record<string, string>> = {
  "no masked frames": "all frames masked",
  "server window respected": "client window respected",
};
/** A key for frames that a client must not be sent. */
const KEY = "37fa213d";

const swapped = (text: string): string => text.replaceAll(/client|server/g, (side) => (side === "client" ? "server" : "client"));

/** What was masked is not, and the other way round. */
const frameOf = ({ mask, ...frame }: FrameSpec): FrameSpec => (mask === "none" ? { ...frame, mask: KEY } : frame);

function stepOf(step: Step): Step {
  switch (step.do) {
    case "open":
      return {
        ...step,
        ...(step.more === undefined ? {} : { more: step.more.map((line) => swapped(line).replace(DEFLATE, "{deflate}")) }),
      };
    case "send":
    case "repeat":
      return { ...step, frames: step.frames.map(frameOf) };
    default:
      return step;
  }
}

function sightOf(sight: Sight): Sight {
  if (sight.see === "holds") return { ...sight, monitor: MONITORS[sight.monitor] ?? sight.monitor };
  if (sight.see === "not") return { ...sight, of: sightOf(sight.of) };
  return sight.see === "all" || sight.see === "any" ? { ...sight, of: sight.of.map(sightOf) } : sight;
}

/** The same claim about a client: what the server was sent it is sent, unmasked, with the sides exchanged in every word. */
function mirrored(c: Case): Case {
  const name = swapped(c.id.slice(c.id.indexOf("/") + 1)).replace(/^client-/, "");
  const covers = c.covers.map((ref) => INSTEAD[ref] ?? ref).filter((ref) => ref !== "none");
  const [strict, ...others] = c.allowed.map((one) => ({ ...one, see: sightOf(one.see) }));
  const [firstCover, ...moreCovers] = covers;
  if (strict === undefined || firstCover === undefined) throw new Error(`${c.id} says nothing of a client.`);
  return {
    ...c,
    id: `websocket/client-${name}`,
    spec: SECTION[c.spec] ?? c.spec,
    covers: [firstCover, ...moreCovers],
    role: "client",
    title: swapped(c.title),
    ...(c.needs === undefined ? {} : { needs: c.needs.map((need) => NEEDS[need] ?? need) }),
    steps: c.steps.map(stepOf),
    control: c.control.map(stepOf),
    allowed: [strict, ...others],
  };
}

/** The cases of a file that mean the same for a client; `without`: ids of those that do not. */
export const ofServers = (cases: readonly Case[], without: readonly string[] = []): readonly Case[] =>
  cases.filter(({ id, group, fence }) => group === undefined && fence !== "new" && !without.includes(id)).map(mirrored);

/** The floods among them; what they cost a client is not measured. */
export const floodsOfServers = (cases: readonly Case[], without: readonly string[]): readonly Case[] =>
  cases
    .filter(({ id, group }) => group === "abuse" && !without.includes(id))
    .map(mirrored)
    .map(({ budget: _budget, ...c }) => c);

/** The same with other words in ids and titles, where a mistake is the reverse one. */
export const renamed = (cases: readonly Case[], from: string, to: string, words: readonly [from: string, to: string]): readonly Case[] =>
  cases.map((c) => ({ ...c, id: c.id.replace(from, to) as Case["id"], title: c.title.replace(words[0], words[1]) }));
