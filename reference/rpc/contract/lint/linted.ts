import type { Contract, ContractFile, Element, Enum, EnumValue, Field, Message, Method, Oneof, Service } from "../model.ts";
import type { Comments } from "../parse/comments.ts";

/** `touchstone-lint-ignore RULE RULE: why`; comments for `buf` count too. */
const IGNORE = /(?:touchstone-lint-ignore|buf:lint:ignore)[ \t]+([A-Z][A-Z0-9_]*(?:[ \t,]+[A-Z][A-Z0-9_]*)*)/g;
const ignoredIn = (...comments: readonly Comments[]): string[] =>
  comments
    .flatMap(({ leading, trailing, detached }) => [leading, trailing, ...detached])
    .flatMap((text) => [...text.matchAll(IGNORE)].flatMap(([, names = ""]) => names.split(/[ \t,]+/)));

/** The elements that are judged, in the order of the text, each once; and the rules that comments switch off for them. */
export class Linted {
  readonly contract: Contract;
  readonly files: readonly ContractFile[];
  readonly messages: Message[] = [];
  readonly fields: Field[] = [];
  readonly oneofs: Oneof[] = [];
  readonly enums: Enum[] = [];
  /** Values with their enum. */
  readonly values: { readonly value: EnumValue; readonly of: Enum }[] = [];
  readonly services: Service[] = [];
  /** Methods with their service. */
  readonly methods: { readonly method: Method; readonly of: Service }[] = [];
  readonly #ignored = new Map<object, ReadonlySet<string>>();

  constructor(contract: Contract) {
    this.contract = contract;
    this.files = contract.roots;
    for (const file of this.files) this.#addFile(file);
  }

  /** Whether a comment of the element, or of one around it, switches a rule off. */
  ignores(element: object, rule: string): boolean {
    return this.#ignored.get(element)?.has(rule) === true;
  }

  #addFile(file: ContractFile): void {
    // A comment on the syntax or the package is about the whole file.
    const ignored = new Set(ignoredIn(file.syntaxComments, file.packageComments));
    this.#ignored.set(file, ignored);
    this.#addTypes(file, ignored);
    for (const service of file.services) {
      const inner = this.#note(service, ignored);
      this.services.push(service);
      for (const method of service.methods) {
        this.#note(method, inner);
        this.methods.push({ method, of: service });
      }
    }
  }

  #addTypes({ messages, enums, extensions }: Pick<Message, "messages" | "enums" | "extensions">, around: ReadonlySet<string>): void {
    for (const field of extensions) this.#addField(field, around);
    for (const message of messages) {
      const inner = this.#note(message, around);
      this.messages.push(message);
      for (const field of message.fields) this.#addField(field, inner);
      for (const oneof of message.oneofs) {
        this.#note(oneof, inner);
        this.oneofs.push(oneof);
      }
      this.#addTypes(message, inner);
    }
    for (const one of enums) {
      const inner = this.#note(one, around);
      this.enums.push(one);
      for (const value of one.values) {
        this.#note(value, inner);
        this.values.push({ value, of: one });
      }
    }
  }
  #addField(field: Field, around: ReadonlySet<string>): void {
    this.#note(field, around);
    this.fields.push(field);
  }

  #note(element: Element, around: ReadonlySet<string>): ReadonlySet<string> {
    const own = ignoredIn(element.comments);
    const ignored = own.length === 0 ? around : new Set([...around, ...own]);
    this.#ignored.set(element, ignored);
    return ignored;
  }
}
