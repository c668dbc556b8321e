import { type AnyMessage, type Contract, messageTypes } from "../../../rpc/contract/index.ts";
import type { MessageType } from "../../../rpc/message/index.ts";
import * as wellKnown from "../../../rpc/message/well-known/index.ts";

/** The type of a message by its full name. */
export type TypeOf = (name: string) => MessageType<AnyMessage> | undefined;

const WELL_KNOWN: ReadonlyMap<string, MessageType<AnyMessage>> = new Map(
  Object.values(wellKnown).flatMap((one) => ("decode" in one ? [[one.name, one as unknown as MessageType<AnyMessage>] as const] : [])),
);

/** Finds the types of some contracts. The well-known ones are found in any case: an `Any` may hold them. */
export function typesOf(...contracts: readonly Contract[]): TypeOf {
  const types = contracts.map(messageTypes);
  return (name) => types.find((one) => one.has(name))?.get(name) ?? WELL_KNOWN.get(name);
}
