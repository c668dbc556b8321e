import type { Case, Role } from "./harness/case.ts";
import type { LintContext } from "./harness/lint.ts";
import { WrongUse } from "./harness/driver.ts";
import * as hpack from "./hpack/index.ts";
import * as http1 from "./http1/index.ts";
import * as http2 from "./http2/index.ts";
import * as metrics from "./metrics/index.ts";
import * as websocket from "./websocket/index.ts";

export type AnyCase = Case<unknown, unknown>;
export type SuiteName = "http1" | "http2" | "hpack" | "websocket" | "metrics";

export type Suite = {
  readonly about: string;
  readonly roles: readonly Role[];
  /** Its cases; `scale` is how large the larger ones are, where it has such: 1, the default, to 5. */
  readonly load: (scale?: websocket.Scale) => Promise<readonly AnyCase[]>;
  /** Names of optional features and monitors, for the lint. */
  readonly words: Omit<LintContext, "requirements">;
};

/** Every suite there is, by the name that the command line uses. */
export const SUITES: Readonly<Record<SuiteName, Suite>> = {
  http1: {
    about: "HTTP/1.1 (RFC 9112, RFC 9110), early hints (RFC 8297), the upgrade to h2c (RFC 7540)",
    roles: ["server", "client", "proxy"],
    load: http1.loadCases,
    words: {
      features: {
        server: Object.keys(http1.FEATURES),
        client: Object.keys(http1.CLIENT_FEATURES),
        proxy: Object.keys(http1.PROXY_FEATURES),
      },
      monitors: [...http1.monitorNames, ...http1.clientMonitorNames, ...http1.proxyMonitorNames],
    },
  },
  http2: {
    about: "HTTP/2 (RFC 9113), extended CONNECT (RFC 8441), priorities (RFC 9218)",
    roles: ["server", "client"],
    load: http2.loadCases,
    words: { features: { server: Object.keys(http2.FEATURES), client: Object.keys(http2.CLIENT_FEATURES) }, monitors: http2.monitorNames },
  },
  hpack: {
    about: "HPACK (RFC 7541)",
    roles: ["codec"],
    load: hpack.loadCases,
    words: { features: { codec: Object.keys(hpack.FEATURES) }, monitors: [] },
  },
  websocket: {
    about: "WebSocket (RFC 6455), its compression (RFC 7692), over HTTP/2 (RFC 8441)",
    roles: ["server", "client", "codec"],
    load: async (scale) => [...(await websocket.loadCases(scale)), ...websocket.codecCases()],
    words: {
      features: {
        server: Object.keys(websocket.FEATURES),
        client: Object.keys(websocket.CLIENT_FEATURES),
        codec: Object.keys(websocket.CODEC_FEATURES),
      },
      monitors: [...websocket.monitorNames, ...websocket.clientMonitorNames],
    },
  },
  metrics: {
    about: "pages of metrics (Prometheus text format 0.0.4, OpenMetrics 1.0), the query language and its interface",
    roles: ["server", "codec"],
    load: async () => [...metrics.serverCases(), ...metrics.codecCases()],
    words: { features: { server: metrics.SERVER_FEATURES, codec: Object.keys(metrics.CODEC_FEATURES) }, monitors: [] },
  },
};

export const suiteNames = Object.keys(SUITES) as readonly SuiteName[];

/** `a, b or c`. */
export const oneOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");

/** Reads a suite's name; throws `WrongUse` with the ones there are. */
export function suiteNamed(name: string): SuiteName {
  const known = suiteNames.find((one) => one === name.toLowerCase());
  if (known === undefined) throw new WrongUse(`There is no suite "${name}": it is ${oneOf(suiteNames)}.`);
  return known;
}
