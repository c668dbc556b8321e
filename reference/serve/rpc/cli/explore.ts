import protobuf from "protobufjs";
import type { Channel } from "../client.ts";
import { type ContractSource, symbolIn } from "./contract-source.ts";
import { BadInput } from "./json-messages.ts";
import { report } from "./outcome.ts";
import { printContract } from "./print-contract.ts";
import type { TargetOptions } from "./target-options.ts";
import { reachTarget } from "./target.ts";
import { templateOf } from "./template.ts";

export type DescribeOptions = TargetOptions & { readonly template?: true };

/** `touchstone rpc list`: the services, or the methods of one. */
export function list(url: string, service: string | undefined, options: TargetOptions): Promise<number> {
  return explore(url, options, async (contracts) => {
    if (service === undefined) return (await contracts.services()).join("\n");
    const found = await find(contracts, service);
    if (!(found instanceof protobuf.Service)) throw new BadInput(`"${service}" is not a service`);
    return found.methodsArray.map(({ name }) => `${service}/${name}`).join("\n");
  });
}

/** `touchstone rpc describe`: a symbol in the language of contracts, or all services. */
export function describe(url: string, symbol: string | undefined, options: DescribeOptions): Promise<number> {
  return explore(url, options, async (contracts) => {
    const symbols = symbol === undefined ? await contracts.services() : [symbol];
    const parts: string[] = [];
    for (const one of symbols) parts.push(described(await find(contracts, one.replace(/^\./, "")), options));
    return parts.join("\n\n");
  });
}

function described(found: protobuf.ReflectionObject, { template }: DescribeOptions): string {
  if (template === true) {
    const type = found instanceof protobuf.Method ? found.resolvedRequestType : found;
    if (!(type instanceof protobuf.Type))
      throw new BadInput(`${found.fullName.slice(1)} has no message: --template is for messages and methods`);
    return JSON.stringify(templateOf(type), undefined, 2);
  }
  if (!(found instanceof protobuf.Method)) return printContract(found);
  // A caller needs its messages as well.
  const messages = new Set([found.resolvedRequestType!, found.resolvedResponseType!]);
  return [found, ...messages].map(printContract).join("\n\n");
}

async function find(contracts: ContractSource, symbol: string): Promise<protobuf.ReflectionObject> {
  const slash = symbol.lastIndexOf("/");
  const root = await contracts.withSymbol(slash < 0 ? symbol : symbol.slice(0, slash));
  const found = root === undefined ? null : symbolIn(root, symbol);
  if (found === null) throw new BadInput(`there is no symbol "${symbol}": touchstone rpc list URL prints the services`);
  return found;
}

async function explore(url: string, options: TargetOptions, ask: (contracts: ContractSource) => Promise<string>): Promise<number> {
  let channel: Channel | undefined;
  try {
    const target = await reachTarget(url, options);
    ({ channel } = target);
    console.log(await ask(target.contracts));
    return 0;
  } catch (error) {
    return report(error);
  } finally {
    await channel?.close();
  }
}
