import type { AnyMessage, Contract, Method } from "../../../rpc/contract/index.ts";
import type { JsonValue } from "../../../rpc/message/index.ts";
import type { AnyMethod, CallOptions, Metadata } from "../../../rpc/index.ts";
import type { Channel } from "../client.ts";
import { type ContractSource, methodIn } from "./contract-source.ts";
import { BadInput, JsonMessages, jsonMessages } from "./json-messages.ts";
import { TypesOfCall } from "./json-types.ts";
import { report } from "./outcome.ts";
import type { TargetOptions } from "./target-options.ts";
import { dataOf, metadataOf, reachTarget } from "./target.ts";

export type CallCommandOptions = TargetOptions & {
  readonly data: readonly string[];
  readonly compact?: true;
  readonly encoding?: string;
};

/** The most characters of one message in JSON. */
const MOST_CHARACTERS = 67_108_864;

/** `touchstone rpc call`: resolves to the exit status. */
export async function call(url: string, name: string, options: CallCommandOptions): Promise<number> {
  const begun = performance.now();
  let contract: Contract | undefined;
  let channel: Channel | undefined;
  // What is wrong with the messages; the call ends as CANCELLED then.
  const input: { problem?: unknown } = {};
  try {
    const target = await reachTarget(url, options);
    ({ channel } = target);
    const found = await findMethod(target.contracts, name);
    ({ contract } = found);
    const watch = new Watch(options.verbose === true, begun);
    watch.says(`${pathOf(found.method)}, dialect ${target.dialect}`);
    watch.mark("contract");
    await sendAll(channel, { method: found.method, types: new TypesOfCall(target.contracts, contract) }, { ...options, watch, input });
    watch.over();
    return 0;
  } catch (error) {
    return report(input.problem ?? error, contract);
  } finally {
    await channel?.close();
  }
}

type Found = { readonly method: Method; readonly contract: Contract };
/** A method, and the types of its messages. */
type Described = { readonly method: Method; readonly types: TypesOfCall };

/** The method that a name means: `package.Service/Method`, or with a dot before the method. */
async function findMethod(contracts: ContractSource, name: string): Promise<Found> {
  const at = Math.max(name.lastIndexOf("/"), name.lastIndexOf("."));
  if (at < 1) throw new BadInput(`"${name}" is not a method: give one such as package.Service/Method`);
  const service = name.slice(0, at);
  const contract = await contracts.withSymbol(service);
  const method = contract === undefined ? undefined : methodIn(contract, name);
  if (contract !== undefined && method !== undefined) return { method, contract };
  const known = contract?.services.get(service);
  if (known !== undefined)
    throw new BadInput(`${service} has no method "${name.slice(at + 1)}": it has ${known.methods.map((one) => one.name).join(", ")}`);
  const services = await contracts.services();
  throw new BadInput(`there is no service "${service}": there ${services.length === 1 ? "is" : "are"} ${services.join(", ")}`);
}

const pathOf = ({ path }: Method): string => path.slice(1);

type Sending = CallCommandOptions & { readonly watch: Watch; readonly input: { problem?: unknown } };

async function sendAll(channel: Channel, { method, types }: Described, options: Sending): Promise<void> {
  const { watch, compact, deadline, encoding, header } = options;
  const described = describedMethod(method, types);
  const callOptions: CallOptions = {
    metadata: metadataOf(header),
    ...(deadline !== undefined && { timeoutMs: deadline }),
    ...(encoding !== undefined && { encoding }),
    onHeaders: (metadata) => watch.metadata("headers", metadata),
    onTrailers: (metadata) => watch.metadata("trailers", metadata),
  };
  const messages = read(options.data, method.request, types);
  const request = described.requestStream ? watched(messages, options.input) : await onlyOne(messages, method);
  const result = channel.call(described, request, callOptions);
  const print = async (message: unknown): Promise<void> => {
    watch.message();
    const json = await types.use((typeOf) => types.get(method.response).toJson(message as AnyMessage, { typeOf }));
    console.log(JSON.stringify(json, undefined, compact === true ? undefined : 2));
  };
  if (described.responseStream) for await (const message of result as AsyncIterable<unknown>) await print(message);
  else await print(await (result as Promise<unknown>));
}

const describedMethod = ({ path, requestStream, responseStream, request, response }: Method, types: TypesOfCall): AnyMethod => ({
  path,
  requestStream,
  responseStream,
  request: types.get(request),
  response: types.get(response),
});

/** The messages of `--data`, or of standard input as they arrive. */
async function* read(data: readonly string[], name: string, types: TypesOfCall): AsyncGenerator<AnyMessage> {
  let count = 0;
  const message = async (json: unknown): Promise<AnyMessage> => {
    count++;
    try {
      return await types.use((typeOf) => types.get(name).fromJson(json as JsonValue, { typeOf }));
    } catch (cause) {
      throw new BadInput(`message ${count} is not a ${name}: ${(cause as Error).message}`, { cause });
    }
  };
  for (const one of data) {
    const text = dataOf(one);
    if (text !== undefined) {
      for (const json of jsonMessages(text, MOST_CHARACTERS)) yield await message(json);
      continue;
    }
    const messages = new JsonMessages(MOST_CHARACTERS);
    process.stdin.setEncoding("utf8");
    for await (const chunk of process.stdin) for (const json of messages.push(String(chunk))) yield await message(json);
    for (const json of messages.end()) yield await message(json);
  }
}

/** The request of a method that takes one: empty without `--data`. */
async function onlyOne(messages: AsyncIterable<AnyMessage>, method: Method): Promise<AnyMessage> {
  let only: AnyMessage | undefined;
  for await (const message of messages) {
    if (only !== undefined) throw new BadInput(`${pathOf(method)} takes one message: --data has more`);
    only = message;
  }
  return only ?? {};
}

/** Keeps what is wrong with the messages: the call itself only learns that it is cancelled. */
async function* watched<Message>(messages: AsyncIterable<Message>, input: { problem?: unknown }): AsyncGenerator<Message> {
  try {
    yield* messages;
  } catch (error) {
    input.problem = error;
    throw error;
  }
}

/** What `--verbose` prints on standard error. */
class Watch {
  readonly #isOn: boolean;
  readonly #begun: number;
  readonly #marks: string[] = [];
  #since: number;
  #count = 0;

  constructor(isOn: boolean, begun: number) {
    this.#isOn = isOn;
    this.#begun = begun;
    this.#since = begun;
  }
  says(text: string): void {
    if (this.#isOn) console.error(text);
  }
  /** A part is over; the next one begins. */
  mark(name: string): void {
    this.#marks.push(`${name} ${this.#elapsed(this.#since)}`);
    if (name === "contract") this.#since = performance.now();
  }
  metadata(section: "headers" | "trailers", metadata: Metadata): void {
    this.mark(section);
    for (const { name, value } of metadata)
      this.says(`${section}: ${name}: ${typeof value === "string" ? value : Buffer.from(value).toString("base64")}`);
  }
  message(): void {
    if (this.#count++ === 0) this.mark("first message");
  }
  over(): void {
    this.says(
      `OK (0), ${this.#count} message${this.#count === 1 ? "" : "s"}; ${this.#marks.join(", ")}, total ${this.#elapsed(this.#begun)}`,
    );
  }
  #elapsed(since: number): string {
    return `${(performance.now() - since).toFixed(1)} ms`;
  }
}
