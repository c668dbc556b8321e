import type { RequirementRef } from "../../harness/case.ts";
import { overStreams, STREAMED, type Streamed } from "../driver/probe.ts";
import { handshakeFields } from "../driver/connect-handshake.ts";
import type { Case, Handshake, Sight, Step } from "../vocabulary.ts";

/**
 * Expands cases over HTTP versions: whatever is not about the HTTP/1.1 handshake also runs over an HTTP/2 stream. What does not depend on the
 * carrier has then been judged twice: over an HTTP/3 stream only the rest runs, for servers.
 */

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

/** Steps and sights that depend on the carrier: how octets are cut, and how connections end. */
const CARRIED_STEPS: ReadonlySet<Step["do"]> = new Set(["half-close", "close", "reset"]);
const CARRIED_SIGHTS: ReadonlySet<Sight["see"]> = new Set(["closing handshake", "abnormal closure"]);
/** One in this many of the other cases runs over HTTP/3, too, chosen by its id: a sample of messages, extensions and refusals. */
const SAMPLE = 16;
const isSampled = (id: string): boolean => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 0) % SAMPLE === 0;
const isOfCarrier = ({ steps, allowed: [{ see: strict }] }: Case): boolean =>
  steps.some((step) => CARRIED_STEPS.has(step.do) || (step.do === "send" && step.cut !== undefined)) || CARRIED_SIGHTS.has(strict.see);

const AS_CONNECTION: Readonly<Record<Streamed, readonly RequirementRef[]>> = {
  http2: ["rfc8441#5/stream-as-connection"],
  http3: ["rfc8441#5/stream-as-connection", "rfc9220#3/stream-as-connection"],
};
/** The case over streams, with an id of its own: `websocket/x` becomes `websocket/http2-x`, `websocket/client-x` `websocket/client-http2-x`. */
const overStream =
  (version: Streamed) =>
  ({ id, title, covers, needs = [], steps, ...same }: Case): Case => {
    const isOfServer = same.role === "server";
    const also: RequirementRef[] = [...AS_CONNECTION[version], ...(customizes(steps) ? (["rfc8441#5/fields"] as const) : [])];
    return {
      ...same,
      id: isOfServer
        ? `websocket/${version}-${id.slice("websocket/".length)}`
        : `websocket/client-${version}-${id.slice("websocket/client-".length)}`,
      title: `Over ${STREAMED[version]}: ${title}`,
      covers: [...covers, ...also],
      needs: [version, ...(isOfServer ? needs.map((need) => overStreams(need, version)) : needs)],
      steps,
      over: version,
    };
  };

/** A client speaks one version of HTTP: it runs the cases of that alone. */
const overHttp1 = ({ needs = [], ...same }: Case): Case =>
  same.role === "client" && same.over === undefined ? { ...same, needs: ["http1", ...needs] } : { ...same, needs };

/** The cases, then those that also run over HTTP/2, and over HTTP/3. */
export function expanded(cases: readonly Case[]): Case[] {
  const portable = cases.filter(isExpanded);
  const overHttp3 = portable.filter(
    (c) => c.role === "server" && c.group === undefined && c.needs?.includes("tells") !== true && (isOfCarrier(c) || isSampled(c.id)),
  );
  return [...cases.map(overHttp1), ...portable.map(overStream("http2")), ...overHttp3.map(overStream("http3"))];
}
