import { SERVICE } from "../../../wire/rpc/contract.ts";
import type { CallSpec, Sight, Step } from "../../client-vocabulary.ts";
import type { StatusName } from "../../vocabulary.ts";
import { ask, good, received, trailers } from "./phrases.ts";

/** What cases about further attempts share. */

export const NEEDS = ["retries"];
export type Policy = Readonly<Record<string, unknown>>;
const POLICY: Policy = {
  maxAttempts: 3,
  initialBackoff: "0.020s",
  maxBackoff: "0.050s",
  backoffMultiplier: 2,
  retryableStatusCodes: ["UNAVAILABLE"],
};
export const channel = (policy: Policy = {}, more: Policy = {}): { readonly serviceConfig: unknown } => ({
  serviceConfig: { methodConfig: [{ name: [{ service: SERVICE }], retryPolicy: { ...POLICY, ...policy } }], ...more },
});
export const asked = (policy: Policy = {}, call: Partial<CallSpec> = {}, more: Policy = {}): Step =>
  ask(call, { channel: channel(policy, more) });
export const failed = (request: number, status: StatusName = "UNAVAILABLE", pushBack?: string): Step[] => [
  received(request),
  trailers({ request, only: true, status, ...(pushBack === undefined ? {} : { fields: [["{rpc}-retry-pushback-ms", pushBack]] }) }),
];
export const retried = (policy: Policy = {}): Step[] => [asked(policy), ...good()];
export const previous = (request: number, value: string | false): Sight => ({
  see: "request",
  request,
  fields: { "{rpc}-previous-rpc-attempts": value },
});
