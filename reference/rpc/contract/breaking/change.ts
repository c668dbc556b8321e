import type { Contract, ContractFile, Enum, Field, Message, Method, Service } from "../model.ts";

/** An element before and after. */
export type Pair<E> = { readonly old: E; readonly now: E };
/** What a file declares, nested elements included. */
type Declared = {
  readonly messages: readonly Message[];
  readonly enums: readonly Enum[];
  readonly services: readonly Service[];
  readonly extensions: readonly Field[];
};
type Kind = keyof Declared;
type Part = Message | Enum | Service | Field;

/**
 * Two versions of a contract with their elements side by side. Files are paired by path; messages, enums and services by full name, wherever they
 * are declared; fields by number and methods by name. Imported files are compared if both versions have them.
 */
export class Change {
  readonly old: Contract;
  readonly now: Contract;
  readonly files: readonly Pair<ContractFile>[];
  /** Files of the old version that the new one no longer has. */
  readonly goneFiles: readonly ContractFile[];
  readonly messages: readonly Pair<Message>[];
  readonly enums: readonly Pair<Enum>[];
  readonly services: readonly Pair<Service>[];
  readonly methods: readonly Pair<Method>[];
  /** Fields and extensions. */
  readonly fields: readonly Pair<Field>[];
  readonly extensions: readonly Pair<Field>[];
  readonly #compared: readonly ContractFile[];
  readonly #packages: ReadonlySet<string>;

  /** `pathOf` gives the path in the new version of a file of the old one, for files that were renamed on purpose. */
  constructor(old: Contract, now: Contract, pathOf: (path: string) => string) {
    this.old = old;
    this.now = now;
    const find = (file: ContractFile): ContractFile | undefined => now.files.get(pathOf(file.path));
    this.#compared = [...old.files.values()].filter((file) => old.roots.includes(file) || find(file) !== undefined);
    this.#packages = new Set([...now.files.values()].map((file) => file.package));
    this.files = this.#compared.flatMap((file) => pair(file, find(file)));
    this.goneFiles = this.#compared.filter((file) => find(file) === undefined);
    const declared = this.#compared.map(declaredIn);
    this.messages = declared.flatMap(({ messages }) => messages.flatMap((one) => pair(one, now.messages.get(one.fullName))));
    this.enums = declared.flatMap(({ enums }) => enums.flatMap((one) => pair(one, now.enums.get(one.fullName))));
    this.services = declared.flatMap(({ services }) => services.flatMap((one) => pair(one, now.services.get(one.fullName))));
    const extensions = declared.flatMap((file) => file.extensions);
    this.extensions = extensions.flatMap((one) => pair(one, now.extensions.get(one.fullName)));
    this.methods = this.services.flatMap(({ old, now }) =>
      old.methods.flatMap((method) =>
        pair(
          method,
          now.methods.find(({ name }) => name === method.name),
        ),
      ),
    );
    const extended = new Map([...now.extensions.values()].map((field) => [placeIn(field), field]));
    this.fields = [
      ...this.messages.flatMap(({ old, now }) => {
        const byNumber = new Map(now.fields.map((field) => [field.number, field]));
        return old.fields.flatMap((field) => pair(field, byNumber.get(field.number)));
      }),
      ...extensions.flatMap((field) => pair(field, extended.get(placeIn(field)))),
    ];
  }

  /** Elements of one kind that their file no longer declares. Another package is a finding of its own. */
  goneFromFile<K extends Kind>(kind: K): readonly Declared[K][number][] {
    return this.files.flatMap(({ old, now }) => {
      const left = new Set(declaredIn(now)[kind].map((part) => nameIn(now, part)));
      return declaredIn(old)[kind].filter((part: Part) => !left.has(nameIn(old, part)));
    });
  }

  /** Elements of one kind that no file of their package declares, where the package still exists. */
  goneFromPackage<K extends Kind>(kind: K): readonly Declared[K][number][] {
    const left: ReadonlyMap<string, Part> = this.now[kind];
    return this.#compared
      .filter((file) => this.#packages.has(file.package))
      .flatMap((file) => declaredIn(file)[kind].filter(({ fullName }: Part) => !left.has(fullName)));
  }

  /** The old files with the first declaration of each package that no longer exists. */
  get gonePackages(): readonly ContractFile[] {
    const gone = this.#compared.filter((file) => !this.#packages.has(file.package));
    return gone.filter((file, at) => gone.findIndex((other) => other.package === file.package) === at);
  }
}

const pair = <E>(old: E, now: E | undefined): Pair<E>[] => (now === undefined ? [] : [{ old, now }]);
/** The message and the number that an extension takes. */
const placeIn = ({ extendee, number }: Field): string => `${extendee ?? ""} ${number}`;
const nameIn = (file: ContractFile, { fullName }: Part): string =>
  file.package === "" ? fullName : fullName.slice(file.package.length + 1);

function declaredIn(file: ContractFile): Declared {
  const messages = file.messages.flatMap(withNested);
  return {
    messages,
    enums: [...file.enums, ...messages.flatMap(({ enums }) => enums)],
    services: file.services,
    extensions: [...file.extensions, ...messages.flatMap(({ extensions }) => extensions)],
  };
}
const withNested = (message: Message): Message[] => [message, ...message.messages.flatMap(withNested)];
