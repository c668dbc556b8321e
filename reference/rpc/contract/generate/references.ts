import type { Contract, ContractFile, FieldType, Message, ValueType } from "../model.ts";
import { camelCase, type FileNames, free, namesOf } from "./names.ts";

/** How generated files refer to each other and to the package. */
export type Places = {
  /** The module with the codecs, and the one with the messages that everybody has. */
  readonly runtime: string;
  readonly wellKnown: string;
  /** The module with the types of services. */
  readonly rpc: string;
  /** What stands at the end of a relative import: `.ts`, `.js` or nothing. */
  readonly extension: string;
};
export const PACKAGE: Places = {
  runtime: "@touchstone-suite/touchstone/rpc/message",
  wellKnown: "@touchstone-suite/touchstone/rpc/well-known",
  rpc: "@touchstone-suite/touchstone/rpc",
  extension: ".ts",
};

/** Files that come with the package. */
export const isWellKnown = (path: string): boolean =>
  /^google\/protobuf\/(?:any|duration|empty|field_mask|struct|timestamp|wrappers)\.proto$/.test(path);
/** Where the code of a contract is written, without its extension. */
export const outputOf = (path: string): string => `${path.replace(/\.proto$/, "")}.pb`;

/** Names of other types as one generated file writes them. It collects the modules that are needed. */
export class References {
  readonly #contract: Contract;
  readonly #file: ContractFile;
  readonly #places: Places;
  readonly names: FileNames;
  readonly #taken: Set<string>;
  /** The names of modules in this file, by what they are imported from. */
  readonly #modules = new Map<string, string>();
  readonly #runtime = new Set<string>();
  readonly #runtimeTypes = new Set<string>();
  readonly #namesOf = new Map<string, FileNames>();

  constructor(contract: Contract, file: ContractFile, places: Places) {
    this.#contract = contract;
    this.#file = file;
    this.#places = places;
    this.names = namesOf(file);
    this.#taken = new Set(this.names.taken);
  }

  /** The value or type of a message or an enum. */
  type(fullName: string): string {
    const owner = this.#contract.messages.get(fullName)?.file ?? this.#contract.enums.get(fullName)?.file ?? this.#file.path;
    if (owner === this.#file.path) return this.names.types.get(fullName) ?? fullName;
    const name = this.#namesIn(owner).types.get(fullName) ?? fullName;
    return `${this.#module(owner)}.${name}`;
  }
  /** A value of the runtime. */
  runtime(name: string): string {
    this.#runtime.add(name);
    return name;
  }
  runtimeType(name: string): string {
    this.#runtimeTypes.add(name);
    return name;
  }
  get imports(): {
    readonly runtime: readonly string[];
    readonly types: readonly string[];
    readonly modules: readonly (readonly [string, string])[];
  } {
    const sorted = (names: Iterable<string>): string[] => [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    return {
      runtime: sorted(this.#runtime),
      types: sorted(this.#runtimeTypes),
      modules: [...this.#modules].sort(([a], [b]) => (a < b ? -1 : 1)),
    };
  }

  #namesIn(path: string): FileNames {
    let names = this.#namesOf.get(path);
    const file = this.#contract.files.get(path);
    if (names === undefined && file !== undefined) {
      names = namesOf(file);
      this.#namesOf.set(path, names);
    }
    return names ?? this.names;
  }
  #module(path: string): string {
    const from = isWellKnown(path) ? this.#places.wellKnown : relativePath(this.#file.path, outputOf(path)) + this.#places.extension;
    let name = this.#modules.get(from);
    if (name === undefined) {
      const base = isWellKnown(path)
        ? "wellKnown"
        : camelCase(
            path
              .replace(/^.*\//, "")
              .replace(/\.proto$/, "")
              .replace(/\W/g, "_"),
          );
      name = free(/^[A-Za-z_]/.test(base) ? base : `_${base}`, this.#taken);
      this.#taken.add(name);
      this.#modules.set(from, name);
    }
    return name;
  }
}

/** The path of a file as seen from another. */
function relativePath(from: string, to: string): string {
  const outer = from.split("/").slice(0, -1);
  const parts = to.split("/");
  let shared = 0;
  while (shared < outer.length && shared < parts.length - 1 && outer[shared] === parts[shared]) shared += 1;
  const up = outer.length - shared;
  return `${up === 0 ? "./" : "../".repeat(up)}${parts.slice(shared).join("/")}`;
}

/** The messages and enums that a message names. */
const typesIn = (message: Message): string[] => [
  ...message.fields.flatMap(({ type }) => nameIn(type)),
  ...message.messages.flatMap(typesIn),
];
const nameIn = (type: FieldType): string[] => {
  const value: ValueType = type.is === "map" ? type.value : type;
  return value.is === "scalar" ? [] : [value.name];
};

/** The files whose code the code of `file` imports. */
export function neededFiles(contract: Contract, file: ContractFile): readonly string[] {
  const names = [
    ...file.messages.flatMap(typesIn),
    ...file.services.flatMap(({ methods }) => methods.flatMap(({ request, response }) => [request, response])),
  ];
  const paths = names.map((name) => contract.messages.get(name)?.file ?? contract.enums.get(name)?.file ?? file.path);
  return [...new Set(paths)].filter((path) => path !== file.path);
}
