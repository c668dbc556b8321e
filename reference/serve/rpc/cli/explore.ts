import type { Contract } from "../../../rpc/contract/index.ts";
import type { Channel } from "../client.ts";
import { type ContractSource, type Described, symbolIn } from "./contract-source.ts";
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
    const { found } = await find(contracts, service);
    if (found.is !== "service") throw new BadInput(`"${service}" is not a service`);
    return found.one.methods.map(({ name }) => `${service}/${name}`).join("\n");
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

type Found = { readonly found: Described; readonly contract: Contract };

function described({ found, contract }: Found, { template }: DescribeOptions): string {
  const message = (name: string): Described => ({ is: "message", one: contract.messages.get(name)! });
  if (template === true) {
    const type = found.is === "method" ? message(found.one.request) : found;
    if (type.is !== "message") throw new BadInput(`${found.one.fullName} has no message: --template is for messages and methods`);
    return JSON.stringify(templateOf(contract, type.one), undefined, 2);
  }
  if (found.is !== "method") return printContract(found);
  // A caller needs its messages as well.
  const messages = [...new Set([found.one.request, found.one.response])].map(message);
  return [found, ...messages].map(printContract).join("\n\n");
}

async function find(contracts: ContractSource, symbol: string): Promise<Found> {
  const slash = symbol.lastIndexOf("/");
  const around = symbol.slice(0, Math.max(0, symbol.lastIndexOf(".")));
  // Some servers know only the names of whole services and messages.
  const contract = (await contracts.withSymbol(slash < 0 ? symbol : symbol.slice(0, slash))) ?? (await contracts.withSymbol(around));
  const found = contract === undefined ? undefined : symbolIn(contract, symbol);
  if (contract === undefined || found === undefined)
    throw new BadInput(`there is no symbol "${symbol}": touchstone rpc list URL prints the services`);
  return { found, contract };
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
