import type { RequirementRef } from "../harness/case.ts";
import { overHttp2 } from "./driver/probe.ts";
import { handshakeFields } from "./driver/http2-handshake.ts";
import type { Case, Handshake, Sight, Step } from "./vocabulary.ts";

/** One case over more than one version of HTTP: whatever is not about the handshake of HTTP/1.1 is asked over a stream of HTTP/2 as well. */

/** What only HTTP/1.1 has in a handshake (rfc8441#5), or what HTTP/2 says by other means. */
const OF_HTTP1 = /^(?:host|upgrade|connection|sec-websocket-(?:key|accept)|content-length|transfer-encoding|keep-alive|te)$/i;
/** Of the fields that a handshake always has, one keeps its meaning (rfc8441#5). */
const KEPT = "sec-websocket-version";
const PLAIN_FIELD = /^[!#$%&'*+.^_`|~\w-]+:[\x20-\x7e]*$/;

const isPortable = ({ start, content, instead = {}, more = [] }: Handshake): boolean =>
  start === undefined &&
  content === undefined &&
  Object.entries(instead).every(([name, value]) => name.toLowerCase() === KEPT && PLAIN_FIELD.test(`x:${value}`)) &&
  more.every((line) => PLAIN_FIELD.test(line)) &&
  handshakeFields({ more }).every(([name]) => !OF_HTTP1.test(name));

/** Whether a step means the same over HTTP/2: all do but those that write HTTP/1.1. */
const isPortableStep = (step: Step): boolean =>
  step.do === "open"
    ? isPortable(step) && step.cut === undefined
    : step.do !== "text" && (step.do !== "await" || isPortableSight(step.see));

function isPortableSight(sight: Sight): boolean {
  switch (sight.see) {
    case "handshake":
    case "handshake rejected":
      return (sight.status ?? []).every((status) => status !== 101) && (sight.fields ?? []).every(({ name }) => !OF_HTTP1.test(name));
    case "holds":
      return !sight.monitor.endsWith("Sec-WebSocket-Accept");
    case "not":
      return isPortableSight(sight.of);
    case "all":
    case "any":
      return sight.of.every(isPortableSight);
    default:
      return true;
  }
}

const isExpanded = ({ role, steps, control, allowed, over }: Case): boolean =>
  role === "server" &&
  over === undefined &&
  [...steps, ...control].every(isPortableStep) &&
  allowed.every(({ see }) => isPortableSight(see));

const asksFor = (steps: readonly Step[]): boolean => steps.some((step) => step.do === "open" && (step.more ?? step.instead) !== undefined);

/** The case over HTTP/2, with an id of its own: `websocket/x` becomes `websocket/http2-x`. */
function overStream(c: Case): Case {
  const also: RequirementRef[] = ["rfc8441#5/stream-as-connection", ...(asksFor(c.steps) ? (["rfc8441#5/fields"] as const) : [])];
  return {
    ...c,
    id: c.id.replace("/", "/http2-") as Case["id"],
    title: `Over HTTP/2: ${c.title}`,
    covers: [...c.covers, ...also],
    needs: ["http2", ...(c.needs ?? []).map(overHttp2)],
    over: "http2",
  };
}

/** The cases, and behind them those that are asked over HTTP/2 too. */
export const expanded = (cases: readonly Case[]): Case[] => [...cases, ...cases.filter(isExpanded).map(overStream)];
