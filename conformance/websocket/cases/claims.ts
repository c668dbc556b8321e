import type { RequirementRef } from "../../harness/case.ts";
import { DEFLATE } from "./phrases.ts";
import type { Case, FrameSpec, Sight, Step } from "../vocabulary.ts";

/** Claims that hold for both ends of a WebSocket connection, and the two cases that each makes: one for servers, one for clients. */

/**
 * A claim, written from the server's side. In its title `{subject}` is the side that is judged, and `{peer}` the other one. `client` gives
 * what the client's case says differently; "none" where the claim means nothing for a client.
 */
export type Claim = Omit<Case, "role" | "ask" | "over"> & {
  readonly client?: "none" | Partial<Pick<Case, "id" | "title" | "level">>;
};

const worded = (title: string, subject: "server" | "client"): string =>
  title.replaceAll("{subject}", subject).replaceAll("{peer}", otherSide(subject));
const otherSide = (side: string): "server" | "client" => (side === "client" ? "server" : "client");

/** The claim about a server. */
export function ofServer({ client: _client, title, ...claim }: Claim): Case {
  return { role: "server", title: worded(title, "server"), ...claim };
}

/** Requirements of servers, and the client's in their place. */
const REQUIREMENT: Readonly<Record<string, RequirementRef | "none">> = {
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
/** A server must offer these; a client need not, since it can always apply what concerns its own side. */
const NEED: Readonly<Record<string, string>> = {
  "client takes over": "deflate",
  "server no takeover": "asks nothing",
  "client no takeover": "asks nothing",
  "server window": "client window",
};
const MONITOR: Readonly<Record<string, string>> = {
  "no masked frames": "all frames masked",
  "server window respected": "client window respected",
};
/** The key of a masked frame, which a server must not send. */
const KEY = "37fa213d";

/** The parameters of an extension are named after their side. */
const parametersOf = (line: string): string => line.replaceAll(/client|server/g, otherSide).replace(DEFLATE, "{deflate}");

/** A frame without its mask becomes one with a mask. */
const frameOf = ({ mask, ...frame }: FrameSpec): FrameSpec => (mask === "none" ? { ...frame, mask: KEY } : frame);

function stepOf(step: Step): Step {
  switch (step.do) {
    case "open":
      return step.more === undefined ? step : { ...step, more: step.more.map(parametersOf) };
    case "send":
    case "repeat":
      return { ...step, frames: step.frames.map(frameOf) };
    default:
      return step;
  }
}

function sightOf(sight: Sight): Sight {
  switch (sight.see) {
    case "holds":
      return { see: "holds", monitor: MONITOR[sight.monitor] ?? sight.monitor };
    case "not":
      return { see: "not", of: sightOf(sight.of) };
    case "all":
    case "any":
      return { see: sight.see, of: sight.of.map(sightOf) };
    default:
      return sight;
  }
}

/** The claim about a client: the harness sends it what it would send a server, unmasked and with the sides exchanged. */
function ofClient(claim: Claim): Case {
  const own = claim.client === "none" ? {} : (claim.client ?? {});
  const [firstCover, ...moreCovers] = claim.covers.map((ref) => REQUIREMENT[ref] ?? ref).filter((ref) => ref !== "none");
  const [strict, ...others] = claim.allowed.map((one) => ({ ...one, see: sightOf(one.see) }));
  if (strict === undefined || firstCover === undefined) throw new Error(`${claim.id} covers no requirement of a client.`);
  return {
    id: own.id ?? `websocket/client-${claim.id.slice("websocket/".length)}`,
    spec: SECTION[claim.spec] ?? claim.spec,
    covers: [firstCover, ...moreCovers],
    level: own.level ?? claim.level,
    role: "client",
    title: own.title ?? worded(claim.title, "client"),
    ...(claim.group === undefined ? {} : { group: claim.group }),
    ...(claim.needs === undefined ? {} : { needs: claim.needs.map((need) => NEED[need] ?? need) }),
    steps: claim.steps.map(stepOf),
    control: claim.control.map(stepOf),
    allowed: [strict, ...others],
    ...(claim.fence === undefined ? {} : { fence: claim.fence }),
  };
}

/** The claims that mean something for a client, as cases. The cost of a flood to a client is not measured. */
export const ofClients = (claims: readonly Claim[]): readonly Case[] => claims.filter(({ client }) => client !== "none").map(ofClient);
