import { type AnyMessage, type Contract, messageTypes } from "../../../rpc/contract/index.ts";
import type { MessageType } from "../../../rpc/message/index.ts";
import * as wellKnown from "../../../rpc/message/well-known/index.ts";
import type { ContractSource } from "./contract-source.ts";

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

/** The types of a call. Those of messages in an `Any`, which only the messages name, are learnt when they are needed. */
export class TypesOfCall {
  readonly #contracts: ContractSource;
  #known: readonly TypeOf[];
  readonly #asked = new Set<string>();

  constructor(contracts: ContractSource, contract: Contract) {
    this.#contracts = contracts;
    this.#known = [typesOf(contract)];
  }

  /** The type of a message that the contract has. */
  get(name: string): MessageType<AnyMessage> {
    return this.#find(name)!;
  }
  #find(name: string): MessageType<AnyMessage> | undefined {
    for (const typeOf of this.#known) {
      const type = typeOf(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  /** Reads or writes JSON, again if that needed a type that the contracts have. */
  async use<Result>(convert: (typeOf: TypeOf) => Result): Promise<Result> {
    for (;;) {
      let missing: string | undefined;
      const typeOf: TypeOf = (name) => {
        const type = this.#find(name);
        if (type === undefined) missing = name;
        return type;
      };
      try {
        return convert(typeOf);
      } catch (error) {
        if (missing === undefined || this.#asked.has(missing)) throw error;
        this.#asked.add(missing);
        const contract = await this.#contracts.withSymbol(missing);
        if (contract === undefined) throw error;
        this.#known = [...this.#known, typesOf(contract)];
      }
    }
  }
}
