import type { SpecRef } from "../core/index.ts";

/** `status`: what the server answers before it closes; 0 where only a client can meet the fault, or where nothing is to be said. */
type Rule = { readonly status: number; readonly spec: SpecRef };
const rule = (status: number, spec: SpecRef): Rule => ({ status, spec });

/** Every way a peer can break HTTP/1.1, once: the status it is answered with, and where that is written. */
export const FAULTS = {
  methodInvalid: rule(400, "rfc9112#3"),
} as const satisfies Record<string, Rule>;
export type FaultName = keyof typeof FAULTS;

/** One breach by the peer, as told in events. */
export type Fault = Rule & { readonly is: "fault"; readonly name: FaultName };
export const fault = (name: FaultName): Fault => ({ is: "fault", name, ...FAULTS[name] });
