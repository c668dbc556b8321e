import type { OddityKind, ReadRequest } from "../../wire/http1/read.ts";
import { membersOf, valuesOf } from "../../wire/http1/read.ts";
import { printable, toLatin1 } from "../../wire/octets.ts";
import type { Conversation } from "./conversation.ts";
import { monitor } from "./monitors.ts";
import type { OriginScene } from "./proxy-origin.ts";

/** Properties of the octets that reached the origin and the client. Each returns its violation in words. */

type Scene = Pick<OriginScene, "connections" | "isFence">;
type OriginMonitor = (scene: Scene) => string | undefined;

/** Where two readers may disagree about the end of a line, a field or the content. */
const AMBIGUOUS: readonly OddityKind[] = [
  "start line",
  "version",
  "line end",
  "bare cr",
  "field line",
  "field name",
  "field value",
  "fold",
  "space before colon",
  "length",
  "coding",
  "chunk",
  "trailer",
  "garbage",
];
/** The registered transfer codings (rfc9112#7). */
const CODINGS = ["chunked", "gzip", "x-gzip", "deflate", "compress", "x-compress"];
/** Connection-specific fields (rfc9110#7.6.1): a proxy sends only its own, and lists them in Connection. */
const OF_THE_CONNECTION = ["keep-alive", "proxy-connection", "te", "upgrade", "http2-settings"];

export const NOTHING_WHOLE = "no complete request at the origin";

const requestsOf = (scene: Scene): ReadRequest[] => scene.connections.flatMap(({ reader }) => reader.requests);

const oddly =
  (kinds: readonly OddityKind[]) =>
  (scene: Scene): string | undefined => {
    for (const request of requestsOf(scene)) {
      const odd = request.oddities.find(({ kind }) => kinds.includes(kind));
      if (odd !== undefined) return `at the origin, ${request.method} ${printable(request.target, 60)}: ${odd.words}`;
    }
    return undefined;
  };

const ORIGIN: Readonly<Record<string, OriginMonitor>> = {
  "unambiguous requests at the origin": (scene) => {
    const odd = oddly(AMBIGUOUS)(scene);
    if (odd !== undefined) return odd;
    for (const { reader, on } of scene.connections) {
      const [first] = reader.garbage;
      if (first !== undefined)
        return `at the origin, connection ${on}: octets that are not a request: "${printable(toLatin1(first.octets), 60)}"`;
    }
    const strange = requestsOf(scene).find(({ fields }) => {
      const codings = membersOf(fields, "transfer-encoding");
      return codings.some((one) => !CODINGS.includes(one)) || (codings.length === 0 && valuesOf(fields, "transfer-encoding").length > 0);
    });
    return strange === undefined
      ? undefined
      : `at the origin, Transfer-Encoding: ${printable(valuesOf(strange.fields, "transfer-encoding").join(", "))}`;
  },
  [NOTHING_WHOLE]: (scene) => {
    const whole = requestsOf(scene).find((request) => request.complete && scene.isFence(request) === undefined);
    return whole === undefined ? undefined : `a complete request reached the origin: ${printable(whole.start, 80)}`;
  },
  "one Host at the origin": (scene) => {
    const wrong = requestsOf(scene).find(({ fields }) => valuesOf(fields, "host").length !== 1);
    return wrong === undefined ? undefined : `Host ${valuesOf(wrong.fields, "host").length} times at the origin`;
  },
  "no unlisted connection-specific field at the origin": (scene) => {
    for (const { fields } of requestsOf(scene)) {
      const named = membersOf(fields, "connection");
      const stray = OF_THE_CONNECTION.find((name) => valuesOf(fields, name).length > 0 && !named.includes(name));
      if (stray !== undefined) return `${stray} at the origin, not listed in Connection`;
    }
    return undefined;
  },
};

export const proxyMonitorNames = Object.keys(ORIGIN);

/** What broke the property of this name, at the origin or (those of `monitors.ts`) on the client side. */
export function proxyMonitor(name: string, scene: Scene, conversations: readonly Conversation[]): string | undefined {
  const ofOrigin = ORIGIN[name];
  return ofOrigin === undefined ? monitor(name, conversations) : ofOrigin(scene);
}
