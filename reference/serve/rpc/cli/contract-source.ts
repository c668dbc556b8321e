import { dirname } from "node:path";
import type { Contract, Enum, Field, Message, Method, Oneof, Service } from "../../../rpc/contract/index.ts";
import { tryFiles } from "../tools/open-contract.ts";
import { BadInput } from "./json-messages.ts";

/** Where the command line learns contracts: from files, or from the server. */
export interface ContractSource {
  /** The full names of the services. */
  services(): Promise<readonly string[]>;
  /** A contract with this symbol and all that it needs; undefined if there is none. */
  withSymbol(symbol: string): Promise<Contract | undefined>;
}

/** Contracts in files. Imports are looked for in the folders, then beside the files. Throws `BadInput` for a file that is missing or wrong. */
export function contractsInFiles(files: readonly string[], folders: readonly string[]): ContractSource {
  const opened = tryFiles(files, { protoPath: [...folders, ...files.map((file) => dirname(file))] });
  if ("problems" in opened) throw new BadInput(opened.problems.join("\n"));
  const { contract } = opened;
  return { services: () => Promise.resolve([...contract.services.keys()].toSorted()), withSymbol: () => Promise.resolve(contract) };
}

/** Something in a contract, and which kind of thing it is. */
export type Described =
  | { readonly is: "service"; readonly one: Service }
  | { readonly is: "method"; readonly one: Method }
  | { readonly is: "message"; readonly one: Message }
  | { readonly is: "enum"; readonly one: Enum }
  | { readonly is: "field"; readonly one: Field }
  | { readonly is: "oneof"; readonly one: Oneof; readonly of: Message };

/** Something in a contract by its full name, without a dot before it; of a method also `package.Service/Method`. */
export function symbolIn(contract: Contract, symbol: string): Described | undefined {
  const service = contract.services.get(symbol);
  if (service !== undefined) return { is: "service", one: service };
  const message = contract.messages.get(symbol);
  if (message !== undefined) return { is: "message", one: message };
  const found = contract.enums.get(symbol);
  if (found !== undefined) return { is: "enum", one: found };
  const method = methodIn(contract, symbol);
  if (method !== undefined) return { is: "method", one: method };
  const around = contract.messages.get(symbol.slice(0, Math.max(0, symbol.lastIndexOf("."))));
  const field = contract.extensions.get(symbol) ?? around?.fields.find(({ fullName }) => fullName === symbol);
  if (field !== undefined) return { is: "field", one: field };
  const oneof = around?.oneofs.find(({ fullName }) => fullName === symbol);
  return around === undefined || oneof === undefined ? undefined : { is: "oneof", one: oneof, of: around };
}

/** A method by `package.Service/Method`, or with a dot before the method. */
export function methodIn(contract: Contract, name: string): Method | undefined {
  const at = Math.max(name.lastIndexOf("/"), name.lastIndexOf("."));
  return contract.services.get(name.slice(0, Math.max(0, at)))?.methods.find((method) => method.name === name.slice(at + 1));
}
