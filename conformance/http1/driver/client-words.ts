import { sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { printable } from "../../wire/octets.ts";
import type { Case, Sight } from "../vocabulary.ts";
import type { Http1ClientStage } from "./client-stage.ts";
import { requestsInDetail } from "./details.ts";

/** Requests listed one by one. */
const LISTED = 4;

/** What a client did, in words: its requests in order, its exit, and its output. */
export function observedOfClient({ requests, exit, gone, output }: Http1ClientStage): string {
  const listed = requests.slice(0, LISTED).map(({ request, on }, at) => {
    const where = at > 0 ? (requests[at - 1]?.on === on ? " on the same connection" : " on another connection") : "";
    return `${request.start.slice(0, 60)}${where}${request.complete ? "" : ", incomplete"}`;
  });
  const more = requests.length > LISTED ? [`${requests.length - LISTED} more`] : [];
  const asked = listed.length === 0 ? "no request" : [...listed, ...more].join(", then ");
  const end = exit === undefined ? (gone ? "killed" : "still running") : exit.ok ? "status 0" : "a status other than 0";
  return `${printable(asked, 300)}; ${end}${output === "" ? "" : `; it printed "${printable(output, 80)}"`}`;
}

/** Its requests in detail, and the reason that it gave for its end. */
export const detailsOfClient = ({ requests, run }: Http1ClientStage): string => `${requestsInDetail(requests)}; ${run?.end ?? ""}`;

const sights = (c: Pick<Case, "allowed">): readonly Sight[] => c.allowed.flatMap(({ see }) => leaves(see));
const wantsNew = (see: Sight): boolean => see.see === "request" && see.connection === "new";
const cameReused = ({ requests: [first, second] }: Http1ClientStage): boolean => second !== undefined && second.on === first?.on;

/** Why nothing that the client did is permitted. */
export function reasonOfClient(c: Pick<Case, "allowed">, stage: Http1ClientStage, stop: Stop): string {
  const broken = brokenProperty(c.allowed, stage.view.monitor);
  if (broken !== undefined) return sentence(`sent: ${broken}`);
  if (sights(c).some(wantsNew) && cameReused(stage)) return "Its second request came on the connection of the first.";
  if (stage.missed) return sentence(stop ?? "a step waited in vain");
  if (!stage.gone) return sentence(stop ?? `it did not end within ${stage.timeout} ms, and we ended it then`);
  if (stage.exit === undefined) return "It was killed by a signal.";
  if (!stage.exit.ok) return sentence(stop ?? "it ended with a status other than 0, as if its request had failed");
  const printed = stage.output === "" ? "" : ` and printed "${printable(stage.output, 60)}"`;
  return `It accepted this as if nothing were wrong: it ended with status 0${printed}.`;
}
