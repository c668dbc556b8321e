import type { RequirementRef } from "../../harness/case.ts";
import { overHttp2 } from "../driver/probe.ts";
import { handshakeFields } from "../driver/http2-handshake.ts";
import type { Case, Handshake, Sight, Step } from "../vocabulary.ts";

/** Expands cases over HTTP versions: whatever is not about the HTTP/1.1 handshake also runs over an HTTP/2 stream. */

/** Fields that only an HTTP/1.1 handshake has (rfc8441#5), or that HTTP/2 expresses differently. */
const OF_HTTP1 = /^(?:host|upgrade|connection|sec-websocket-(?:key|accept)|content-length|transfer-encoding|keep-alive|te)$/i;
/** The one mandatory handshake field that keeps its meaning (rfc8441#5). */
const KEPT = "sec-websocket-version";
/** Properties of an HTTP/1.1 handshake. */
const OF_HANDSHAKE = /Sec-WebSocket-(?:Accept|Key)$|HTTP|Host|^Upgrade|^Connection|resource name/;
const PLAIN_FIELD = /^(?:[!#$%&'*+.^_`|~\w-]+:|\{deflate\w*\})[\x20-\x7e]*$/;

const isPortable = ({ start, content, instead = {}, more = [] }: Handshake): boolean =>
  start === undefined &&
  content === undefined &&
  Object.entries(instead).every(([name, value]) => name.toLowerCase() === KEPT && PLAIN_FIELD.test(`x:${value}`)) &&
  more.every((line) => PLAIN_FIELD.test(line)) &&
  handshakeFields({ more }).every(([name]) => !OF_HTTP1.test(name));

/** Whether a step means the same over HTTP/2: all do except those that write HTTP/1.1. */
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
      return !OF_HANDSHAKE.test(sight.monitor);
    case "not":
      return isPortableSight(sight.of);
    case "all":
    case "any":
      return sight.of.every(isPortableSight);
    default:
      return true;
  }
}

/** On a connection of HTTP/1.1 our half can end in place of a response; on a stream a response comes first (rfc9113#8.1). */
const endsUnanswered = ({ role, steps: [first] }: Case): boolean =>
  role === "client" && (first?.do === "half-close" || first?.do === "close");

const isExpanded = (c: Case): boolean =>
  c.over === undefined &&
  !endsUnanswered(c) &&
  [...c.steps, ...c.control].every(isPortableStep) &&
  c.allowed.every(({ see }) => isPortableSight(see));

const customizes = (steps: readonly Step[]): boolean =>
  steps.some((step) => step.do === "open" && (step.more ?? step.instead) !== undefined);

/** The case over HTTP/2, with an id of its own: `websocket/x` becomes `websocket/http2-x`, `websocket/client-x` `websocket/client-http2-x`. */
function overStream({ id, title, covers, needs = [], steps, ...same }: Case): Case {
  const isOfServer = same.role === "server";
  const also: RequirementRef[] = ["rfc8441#5/stream-as-connection", ...(customizes(steps) ? (["rfc8441#5/fields"] as const) : [])];
  return {
    ...same,
    id: isOfServer ? `websocket/http2-${id.slice("websocket/".length)}` : `websocket/client-http2-${id.slice("websocket/client-".length)}`,
    title: `Over HTTP/2: ${title}`,
    covers: [...covers, ...also],
    needs: ["http2", ...(isOfServer ? needs.map(overHttp2) : needs)],
    steps,
    over: "http2",
  };
}

/** A client speaks one version of HTTP: it runs the cases of that alone. */
const overHttp1 = ({ needs = [], ...same }: Case): Case =>
  same.role === "client" && same.over === undefined ? { ...same, needs: ["http1", ...needs] } : { ...same, needs };

/** The cases, then those that also run over HTTP/2. */
export const expanded = (cases: readonly Case[]): Case[] => [...cases.map(overHttp1), ...cases.filter(isExpanded).map(overStream)];
