import protobuf from "protobufjs";
import descriptors, { type IFileDescriptorProto } from "protobufjs/ext/descriptor.js";
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
  readonly #files = new Map<string, IFileDescriptorProto>();

  constructor(channel: Channel, options: CallOptions) {
    this.#channel = channel;
    this.#options = options;
  }

  /** The full names of the services. */
  async services(): Promise<readonly string[]> {
    const { listServicesResponse } = await this.#ask({ listServices: "*" });
    return (listServicesResponse?.service ?? []).map(({ name }) => name).toSorted();
  }

  /** A contract with this symbol and all that its files import; undefined if the server has none. */
  async withSymbol(symbol: string): Promise<protobuf.Root | undefined> {
    if (!(await this.#add({ fileContainingSymbol: symbol }))) return undefined;
    for (;;) {
      const imports = [...this.#files.values()].flatMap((file) => (file.dependency ?? []) as string[]);
      const missing = imports.find((name) => !this.#files.has(name));
      if (missing === undefined) break;
      if (this.#files.size > MOST_FILES) throw new Error(`the server has sent more than ${MOST_FILES} files`);
      if (!(await this.#add({ fileByFilename: missing })) && !this.#addWellKnown(missing))
        throw new Error(`the server has ${symbol}, but not the file ${missing} that it needs`);
    }
    const set = { file: [...this.#files.values()] };
    return protobuf.Root.fromDescriptor(set);
  }

  async #add(question: ReflectionRequest): Promise<boolean> {
    const { fileDescriptorResponse, errorResponse } = await this.#ask(question);
    if (fileDescriptorResponse === undefined || fileDescriptorResponse === null) {
      if (errorResponse?.errorCode === Status.NOT_FOUND) return false;
      throw new Error(`the server's reflection says: ${errorResponse?.errorMessage ?? "nothing"}`);
    }
    for (const octets of fileDescriptorResponse.fileDescriptorProto) this.#keep(octets);
    // A server that answers with another file would be asked for ever.
    return question.fileByFilename === undefined || this.#files.has(question.fileByFilename);
  }
  #keep(octets: Uint8Array): void {
    const file = descriptors.FileDescriptorProto.decode(octets) as IFileDescriptorProto;
    this.#files.set(file.name ?? "", file);
  }
  /** Some servers leave out the files that every compiler has. */
  #addWellKnown(name: string): boolean {
    const known = protobuf.common.get(name);
    if (known?.nested === undefined) return false;
    const root = new protobuf.Root();
    root.addJSON(known.nested);
    root.resolveAll();
    const { file = [] } = root.toDescriptor("proto3");
    for (const one of file) this.#files.set(name, { ...one, name });
    return true;
  }

  /** The answer to one question. The older version is tried if the server does not have the newer one. */
  async #ask(question: ReflectionRequest): Promise<ReflectionResponse> {
    for (const version of this.#version === undefined ? REFLECTION_VERSIONS : [this.#version]) {
      const { serverReflectionInfo } = reflectionService(version).methods;
      try {
        const answers = this.#channel.call(serverReflectionInfo!, only(question), this.#options) as AsyncIterable<ReflectionResponse>;
        for await (const answer of answers) {
          this.#version = version;
          return answer;
        }
        throw new Error("the server's reflection has ended without an answer");
      } catch (error) {
        if (!(error instanceof CallFailed) || error.status !== Status.UNIMPLEMENTED) throw error;
      }
    }
    throw new NoReflection("the server has no reflection: give its contract with --proto FILE");
  }
}

async function* only<Message>(message: Message): AsyncGenerator<Message> {
  await Promise.resolve();
  yield message;
}
