import type { Sight, Step } from "../../client-vocabulary.ts";
import { all, answer, ask as asked, callOf, good, head, hex, only, pathOf, received, type Row, say, trailers } from "./phrases.ts";

/** Clients that ask servers for their health (rpc-client-health). */

const NEEDS = ["health-check"];
const WATCH = "/grpc.health.v1.Health/Watch";
const SERVICE = "touchstone";
const ON = { loadBalancingConfig: [{ round_robin: {} }], healthCheckConfig: { serviceName: SERVICE } };
/** A HealthCheckRequest with the name of a service. */
const named = (name: string): string => Buffer.from([0x0a, name.length, ...Buffer.from(name)]).toString();
type Ask = Extract<Step, { do: "ask" }>;
const ask = (call: Parameters<typeof callOf>[0] = {}, more: Partial<Ask> = {}): Ask =>
  asked(call, { channel: { serviceConfig: ON }, ...more });

const watched: Sight = { see: "request", request: 1, fields: { ":path": WATCH }, messages: [named(SERVICE)] };
const begun: readonly Step[] = [{ do: "await", see: { see: "request", request: 1, ended: true } }];
const state = (status: 1 | 2 | 3): Step => say([{ hex: `080${status}` }]);
const WORKFLOW = "rpc-client-health#client-workflow/first";
const SERVING: readonly Step[] = [ask(), ...begun, head(), state(1), ...good(2)];
const unavailable = answer({ status: "UNAVAILABLE" });
/** The service config without one of its parts. */
const without = (part: keyof typeof ON): Partial<Ask> => {
  const { [part]: _, ...others } = ON;
  return { channel: { serviceConfig: others } };
};

export const rows: readonly Row[] = [
  {
    id: "health-serving",
    title: "A channel that checks health sends calls when the server has said that it is healthy.",
    covers: WORKFLOW,
    needs: NEEDS,
    steps: SERVING,
    allowed: all(answer(), watched, { see: "request", request: 2, fields: { ":path": pathOf("unary") } }),
  },
  {
    id: "health-awaited",
    title: "No call is sent before the server has said whether it is healthy.",
    covers: WORKFLOW,
    needs: NEEDS,
    steps: [ask({ timeoutMs: 300 }, { fence: false }), ...begun, head(), { do: "wait", ms: 300 }],
    control: SERVING,
    allowed: all(answer({ status: ["DEADLINE_EXCEEDED", "UNAVAILABLE"] }), { see: "requests", count: 1 }),
  },
  ...(
    [
      ["not-serving", "NOT_SERVING", 2],
      ["service-unknown", "SERVICE_UNKNOWN", 3],
    ] as const
  ).map(([id, name, status]): Row => ({
    id: `health-${id}`,
    title: `A server whose health is ${name} gets no calls.`,
    covers: "rpc-client-health#client-workflow/unhealthy",
    needs: NEEDS,
    steps: [ask({}, { fence: false }), ...begun, head(), state(status)],
    control: SERVING,
    allowed: all(unavailable, { see: "requests", count: 1 }),
  })),
  {
    id: "health-recovers",
    title: "A call that waits is sent when the server becomes healthy.",
    covers: "rpc-client-health#client-workflow/unhealthy",
    needs: [...NEEDS, "wait-for-ready"],
    steps: [ask({ waitForReady: true }), ...begun, head(), state(2), { do: "wait", ms: 50 }, state(1), ...good(2)],
    allowed: all(answer(), watched, { see: "connections", count: 1 }),
  },
  {
    id: "health-lost",
    title: "A server that becomes unhealthy gets no further calls.",
    covers: "rpc-client-health#client-workflow/unhealthy",
    needs: NEEDS,
    steps: [
      ask({}, { later: [callOf()], fence: false }),
      ...begun,
      head(),
      state(1),
      received(2),
      state(2),
      { do: "wait", ms: 50 },
      head({ request: 2 }),
      say([{}], { request: 2 }),
      trailers({ request: 2 }),
    ],
    control: [ask({}, { later: [callOf()] }), ...begun, head(), state(1), ...good(2), ...good(3)],
    allowed: all(answer(), answer({ call: 2, status: "UNAVAILABLE" }), { see: "requests", count: 2 }),
  },
  {
    id: "health-unimplemented",
    title: "A server without the health service is healthy.",
    covers: "rpc-client-health#client-workflow/unimplemented",
    needs: NEEDS,
    steps: [ask(), ...begun, only("UNIMPLEMENTED"), ...good(2)],
    allowed: all(answer(), watched),
  },
  {
    id: "health-fails",
    title: "A server whose health service fails gets no calls.",
    covers: "rpc-client-health#client-workflow/other-status",
    needs: NEEDS,
    steps: [ask({}, { fence: false }), ...begun, only("INTERNAL")],
    control: SERVING,
    allowed: all(unavailable, { see: "requests", count: [1, 2] }),
  },
  {
    id: "health-asked-again-at-once",
    title: "A server that ends its answer after a state is asked again at once.",
    covers: "rpc-client-health#client-workflow/back-off",
    needs: [...NEEDS, "wait-for-ready"],
    steps: [
      ask({ waitForReady: true }, { fence: false }),
      ...begun,
      head(),
      state(2),
      trailers({ status: "INTERNAL" }),
      received(2),
      head({ request: 2 }),
      say([{ hex: "0801" }], { request: 2 }),
      ...good(3),
    ],
    control: SERVING,
    allowed: all(
      answer(),
      { see: "request", request: 2, fields: { ":path": WATCH } },
      { see: "spacing", from: 1, to: 2, least: 0, most: 700 },
    ),
  },
  ...(
    [
      ["no-config", "without a name of a service in its config", "healthCheckConfig", "rpc-client-health#service-config-changes/unset"],
      [
        "pick-first",
        "whose policy is pick_first",
        "loadBalancingConfig",
        "rpc-client-health#lb-policies-can-disable-health-checking-when-needed/pick-first",
      ],
    ] as const
  ).map(([id, words, part, covers]): Row => ({
    id: `health-not-asked-${id}`,
    title: `A channel ${words} does not ask for health.`,
    covers,
    needs: NEEDS,
    steps: [ask({ messages: [hex("touchstone")] }, without(part)), ...good(1)],
    allowed: all(answer(), { see: "requests", count: 1 }, { see: "request", request: 1, fields: { ":path": pathOf("unary") } }),
  })),
];
