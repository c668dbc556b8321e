import { Misuse } from "../../../core/index.ts";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FileDescriptorProto,
} from "../../../rpc/contract/descriptor/index.ts";

/** A contract's file: its descriptor as it is sent, and the names of the files that it imports. */
export type DescribedFile = { readonly name: string; readonly octets: Uint8Array; readonly imports: readonly string[] };

/** The files of contracts, found by what they define. */
export class ContractFiles {
  readonly #files = new Map<string, DescribedFile>();
  readonly #bySymbol = new Map<string, DescribedFile>();
  /** The files of the extensions of a message, by their numbers. */
  readonly #extensions = new Map<string, Map<number, DescribedFile>>();

  /** Adds an encoded `FileDescriptorProto`. The same file may be added again; another one with its name is `Misuse`. */
  add(octets: Uint8Array): void {
    const file = decodeFile(octets);
    const { name = "", dependency } = file;
    const known = this.#files.get(name);
    if (known !== undefined) {
      if (Buffer.compare(known.octets, octets) !== 0)
        throw new Misuse(`two contracts have the file name "${name}": give one of them another name`);
      return;
    }
    const described = { name, octets, imports: dependency };
    this.#files.set(name, described);
    const defines = (symbol: string): void => {
      if (!this.#bySymbol.has(symbol)) this.#bySymbol.set(symbol, described);
    };
    const extend = (extension: FieldDescriptorProto): void => {
      const extended = (extension.extendee ?? "").replace(/^\./, "");
      const numbers = this.#extensions.get(extended) ?? new Map<number, DescribedFile>();
      this.#extensions.set(extended, numbers.set(extension.number ?? 0, described));
    };
    eachSymbol(file, defines, extend);
  }

  byName(name: string): DescribedFile | undefined {
    return this.#files.get(name);
  }
  /** The file that defines a package's message, field, enum, value, extension, service or method. */
  bySymbol(symbol: string): DescribedFile | undefined {
    return this.#bySymbol.get(symbol);
  }
  byExtension(message: string, number: number): DescribedFile | undefined {
    return this.#extensions.get(message)?.get(number);
  }
  /** The numbers of the extensions of a message; undefined if there is no such message. */
  extensionsOf(message: string): readonly number[] | undefined {
    const numbers = this.#extensions.get(message);
    if (numbers !== undefined) return [...numbers.keys()].toSorted((one, other) => one - other);
    return this.#bySymbol.has(message) ? [] : undefined;
  }
  /** A file and all that it imports, without those that `sent` names; adds them to it. */
  withImports(file: DescribedFile, sent: Set<string>): Uint8Array[] {
    if (sent.has(file.name)) return [];
    sent.add(file.name);
    const imported = file.imports.flatMap((name) => {
      const other = this.#files.get(name);
      return other === undefined ? [] : this.withImports(other, sent);
    });
    return [file.octets, ...imported];
  }
}

function decodeFile(octets: Uint8Array): FileDescriptorProto {
  try {
    return FileDescriptorProto.decode(octets);
  } catch (cause) {
    throw new Misuse(`a descriptor is not an encoded FileDescriptorProto: ${(cause as Error).message}`, { cause });
  }
}

type Defines = (symbol: string) => void;
type Extends = (extension: FieldDescriptorProto) => void;

/** Calls `defines` with the full name of everything in a file, and `extend` with its extensions. */
function eachSymbol(file: FileDescriptorProto, defines: Defines, extend: Extends): void {
  const at = file.package === undefined || file.package === "" ? "" : `${file.package}.`;
  for (const one of file.messageType) inMessage(one, at, defines, extend);
  for (const one of file.enumType) inEnum(one, at, defines);
  for (const one of file.extension) {
    defines(`${at}${one.name}`);
    extend(one);
  }
  for (const { name, method } of file.service) {
    defines(`${at}${name}`);
    for (const one of method) defines(`${at}${name}.${one.name}`);
  }
}
function inMessage(message: DescriptorProto, at: string, defines: Defines, extend: Extends): void {
  defines(`${at}${message.name}`);
  const inside = `${at}${message.name}.`;
  for (const { name } of [...message.field, ...message.oneofDecl]) defines(`${inside}${name}`);
  for (const one of message.nestedType) inMessage(one, inside, defines, extend);
  for (const one of message.enumType) inEnum(one, inside, defines);
  for (const one of message.extension) {
    defines(`${inside}${one.name}`);
    extend(one);
  }
}
/** The values of an enum stand beside it. */
function inEnum({ name, value }: EnumDescriptorProto, at: string, defines: Defines): void {
  defines(`${at}${name}`);
  for (const one of value) defines(`${at}${one.name}`);
}
