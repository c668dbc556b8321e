import { describeContract, FileDescriptorProto, loadDescriptors } from "../../../rpc/contract/descriptor/index.ts";
import { type Contract, loadContract, problemText } from "../../../rpc/contract/index.ts";
import { type CallOptions, CallFailed, Status } from "../../../rpc/index.ts";
import type { Channel } from "../client.ts";
import { REFLECTION_VERSIONS, reflectionService, type ReflectionRequest, type ReflectionResponse } from "./contract.ts";

/** The most files that a server may send for one symbol. */
const MOST_FILES = 5_000;

/** The server has no reflection. */
export class NoReflection extends Error {
  override readonly name = "NoReflection";
}

/** Asks a server for its contracts, by either version of reflection. */
export class Reflected {
  readonly #channel: Channel;
  readonly #options: CallOptions;
  #version: (typeof REFLECTION_VERSIONS)[number] | undefined;
  readonly #files = new Map<string, FileDescriptorProto>();

  constructor(channel: Channel, options: CallOptions) {
    this.#channel = channel;
    this.#options = options;
  }

  /** The full names of the services. */
  async services(): Promise<readonly string[]> {
    const answer = await this.#ask({ is: "listServices", value: "*" });
    if (answer?.is !== "listServicesResponse") throw refusal(answer);
    return answer.value.service.map(({ name }) => name).toSorted();
  }

  /** A contract with this symbol and all that its files import; undefined if the server has none. */
  async withSymbol(symbol: string): Promise<Contract | undefined> {
    if (!(await this.#add({ is: "fileContainingSymbol", value: symbol }))) return undefined;
    for (;;) {
      const missing = [...this.#files.values()].flatMap(({ dependency }) => dependency).find((name) => !this.#files.has(name));
      if (missing === undefined) break;
      if (this.#files.size > MOST_FILES) throw new Error(`the server has sent more than ${MOST_FILES} files`);
      if (!(await this.#add({ is: "fileByFilename", value: missing })) && !this.#addWellKnown(missing))
        throw new Error(`the server has ${symbol}, but not the file ${missing} that it needs`);
    }
    const files = this.#inOrder();
    const loaded = loadDescriptors(
      files,
      files.map(({ name = "" }) => name),
      { files: MOST_FILES },
    );
    if (loaded.is === "contract") return loaded.contract;
    throw new Error(`the server's contract has mistakes:\n${loaded.problems.map(problemText).join("\n")}`);
  }

  async #add(question: Question): Promise<boolean> {
    const answer = await this.#ask(question);
    if (answer?.is !== "fileDescriptorResponse") {
      if (answer?.is === "errorResponse" && answer.value.errorCode === Status.NOT_FOUND) return false;
      throw refusal(answer);
    }
    for (const octets of answer.value.fileDescriptorProto) this.#keep(FileDescriptorProto.decode(octets));
    // A server that answers with another file would be asked for ever.
    return question.is !== "fileByFilename" || this.#files.has(question.value);
  }
  #keep(file: FileDescriptorProto): void {
    this.#files.set(file.name ?? "", file);
  }
  /** Some servers leave out the files that every compiler has. */
  #addWellKnown(name: string): boolean {
    const loaded = loadContract([name], () => undefined);
    if (loaded.is === "problems") return false;
    for (const file of describeContract(loaded.contract)) this.#keep(file);
    return true;
  }
  /** The files, each after those that it imports. */
  #inOrder(): FileDescriptorProto[] {
    const ordered = new Set<FileDescriptorProto>();
    const seen = new Set<string>();
    const add = (name: string): void => {
      const file = this.#files.get(name);
      if (file === undefined || seen.has(name)) return;
      seen.add(name);
      file.dependency.forEach(add);
      ordered.add(file);
    };
    for (const name of this.#files.keys()) add(name);
    return [...ordered];
  }

  /** The answer to one question. The older version is tried if the server does not have the newer one. */
  async #ask(question: Question): Promise<Answer> {
    for (const version of this.#version === undefined ? REFLECTION_VERSIONS : [this.#version]) {
      const { serverReflectionInfo } = reflectionService(version).methods;
      try {
        const request = only({ messageRequest: question });
        const answers = this.#channel.call(serverReflectionInfo!, request, this.#options) as AsyncIterable<ReflectionResponse>;
        for await (const answer of answers) {
          this.#version = version;
          return answer.messageResponse;
        }
        throw new Error("the server's reflection has ended without an answer");
      } catch (error) {
        if (!(error instanceof CallFailed) || error.status !== Status.UNIMPLEMENTED) throw error;
      }
    }
    throw new NoReflection("the server has no reflection: give its contract with --proto FILE");
  }
}

type Question = NonNullable<ReflectionRequest["messageRequest"]>;
type Answer = ReflectionResponse["messageResponse"];
const refusal = (answer: Answer): Error =>
  new Error(`the server's reflection says: ${answer?.is === "errorResponse" ? answer.value.errorMessage : "nothing"}`);

async function* only<Message>(message: Message): AsyncGenerator<Message> {
  await Promise.resolve();
  yield message;
}
