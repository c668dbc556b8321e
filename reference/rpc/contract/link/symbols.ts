import type { Place, Problems } from "../place.ts";
import type { EnumNode, ExtendNode, FileNode, MessageNode, Word } from "../syntax.ts";

/** What a name stands for. */
export type Kind = "package" | "message" | "enum" | "value" | "field" | "extension" | "oneof" | "service" | "method";
export type Symbol = { readonly kind: Kind; readonly fullName: string; readonly file: string; readonly place: Place };

export const join = (scope: string, name: string): string => (scope === "" ? name : `${scope}.${name}`);
/** The message of the entries of a map: `MyMapEntry` for `my_map`. */
export const nameOfMapEntry = (field: string): string => `${pascalCase(field)}Entry`;
const pascalCase = (name: string): string => name.replace(/(?:^_*|_+)(.?)/g, (_, first: string) => first.toUpperCase());

/** Every name of a contract, each once. Names that are taken become problems. */
export class Symbols {
  readonly #byName = new Map<string, Symbol>();
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  get(fullName: string): Symbol | undefined {
    return this.#byName.get(fullName);
  }

  addFile(file: FileNode): void {
    const pack = file.package?.text ?? "";
    if (file.package !== undefined) this.#addPackage(file.path, file.package);
    for (const message of file.messages) this.#addMessage(file.path, pack, message);
    for (const one of file.enums) this.#addEnum(file.path, pack, one);
    this.#addExtensions(file.path, pack, file.extends);
    for (const service of file.services) {
      const scope = this.#add("service", file.path, pack, service.name);
      for (const method of service.methods) this.#add("method", file.path, scope, method.name);
    }
  }

  #addPackage(file: string, { text, place }: Word): void {
    let fullName = "";
    for (const part of text.split(".")) {
      fullName = join(fullName, part);
      const taken = this.#byName.get(fullName);
      if (taken === undefined) this.#byName.set(fullName, { kind: "package", fullName, file, place });
      else if (taken.kind !== "package")
        this.#problems.add(place, "name-taken", `"${fullName}" is a ${taken.kind} of ${taken.file}, so it cannot be a package.`);
    }
  }
  #addMessage(file: string, scope: string, message: MessageNode): void {
    const inner = this.#add("message", file, scope, message.name);
    for (const oneof of message.oneofs) this.#add("oneof", file, inner, oneof.name);
    for (const field of message.fields) this.#add("field", file, inner, field.name);
    for (const one of message.messages) this.#addMessage(file, inner, one);
    for (const one of message.enums) this.#addEnum(file, inner, one);
    this.#addExtensions(file, inner, message.extends);
    for (const { name, mapKey } of message.fields) {
      const taken = mapKey === undefined ? undefined : this.#byName.get(join(inner, nameOfMapEntry(name.text)));
      if (taken !== undefined)
        this.#problems.add(
          name.place,
          "name-taken",
          `The map needs the name "${nameOfMapEntry(name.text)}" for its entries, and it is taken.`,
        );
    }
  }
  #addEnum(file: string, scope: string, { name, values }: EnumNode): void {
    this.#add("enum", file, scope, name);
    // The values are names of the scope around their enum, as in C++.
    for (const value of values) this.#add("value", file, scope, value.name);
  }
  #addExtensions(file: string, scope: string, extensions: readonly ExtendNode[]): void {
    for (const { fields } of extensions) for (const { name } of fields) this.#add("extension", file, scope, name);
  }

  #add(kind: Kind, file: string, scope: string, { text, place }: Word): string {
    const fullName = join(scope, text);
    const taken = this.#byName.get(fullName);
    if (taken === undefined) {
      this.#byName.set(fullName, { kind, fullName, file, place });
      return fullName;
    }
    const where = taken.file === file ? `line ${taken.place.line}` : taken.file;
    const hint = kind === "value" ? " The values of an enum share the scope around it with everything else there." : "";
    this.#problems.add(place, "name-taken", `"${fullName}" is a ${taken.kind} already, see ${where}.${hint}`);
    return fullName;
  }
}
