import type { ContractFile, Enum, Field, Message } from "../model.ts";

/** Names that a generated file cannot give to a declaration: words of the language, and what its text uses. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    "abstract any as async await bigint boolean break case catch class const continue debugger declare default delete do else enum eval export " +
    "extends false finally for function get if implements import in infer instanceof interface is keyof let module namespace never new null " +
    "number object of package private protected public readonly require return satisfies set static string super switch symbol this throw " +
    "true try type typeof undefined unique unknown using var void while with yield arguments globalThis NaN Infinity " +
    "Object Record ReadonlyMap Uint8Array MessageType messageType enumeration OneOf OpenEnum ClosedEnum EnumObject Service ServiceClient Implementation"
  ).split(" "),
);
/** Properties that every object has: a field that is not set would be found there. */
const INHERITED: ReadonlySet<string> = new Set(
  "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf __proto__".split(" "),
);

/** The declarations of one generated file, by the full names of what they declare. */
export type FileNames = {
  readonly types: ReadonlyMap<string, string>;
  readonly services: ReadonlyMap<string, { readonly service: string; readonly client: string; readonly server: string }>;
  /** Every name that is in use. */
  readonly taken: ReadonlySet<string>;
};

/** Chooses the names of a file: those of the contract, nested ones joined with `_`, with `_` at the end while a name is taken. */
export function namesOf(file: ContractFile): FileNames {
  const taken = new Set(TAKEN);
  const types = new Map<string, string>();
  const add = (fullName: string, wanted: string): string => {
    const name = free(wanted, taken);
    taken.add(name);
    types.set(fullName, name);
    return name;
  };
  const addMessage = (message: Message, outer: string): void => {
    const name = add(message.fullName, outer + message.name);
    for (const one of message.enums) add(one.fullName, `${name}_${one.name}`);
    for (const one of message.messages) addMessage(one, `${name}_`);
  };
  for (const one of file.enums) add(one.fullName, one.name);
  for (const one of file.messages) addMessage(one, "");
  const services = new Map<string, { service: string; client: string; server: string }>();
  for (const { fullName, name } of file.services) {
    const [service, client, server] = [name, `${name}Client`, `${name}Server`].map((wanted) => {
      const chosen = free(wanted, taken);
      taken.add(chosen);
      return chosen;
    });
    services.set(fullName, { service: service ?? name, client: client ?? name, server: server ?? name });
  }
  return { types, services, taken };
}

/** The wanted name, with as many `_` at its end as it needs to be free. */
export const free = (wanted: string, taken: ReadonlySet<string>): string => (taken.has(wanted) ? free(`${wanted}_`, taken) : wanted);

/** The properties of a message by the names of its fields and oneofs. */
export function propertiesOf(message: Message): ReadonlyMap<string, string> {
  const taken = new Set(INHERITED);
  const properties = new Map<string, string>();
  for (const { name } of [...message.fields, ...message.oneofs]) {
    const property = free(camelCase(name), taken);
    taken.add(property);
    properties.set(name, property);
  }
  return properties;
}

/** `snake_case` as `camelCase`; a name that would begin with a digit stays as it is. */
export function camelCase(name: string): string {
  const camel = name.replace(/_+([a-zA-Z0-9])?/g, (_, after: string | undefined) => after?.toUpperCase() ?? "");
  return /^[a-zA-Z]/.test(camel) ? camel : name;
}

/** The property of a method: its name with a small first letter. */
export const methodName = (name: string): string => {
  const small = name.charAt(0).toLowerCase() + name.slice(1);
  return INHERITED.has(small) ? `${small}_` : small;
};

/** What all names of an enum begin with, if it is the name of the enum and what is left are names: `COLOR_` of `COLOR_RED`. */
export function prefixOf({ name, values }: Enum): string {
  const prefix = `${name.replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3_$2$4").toUpperCase()}_`;
  const isShared = values.every((value) => value.name.startsWith(prefix) && /^[A-Za-z_]/.test(value.name.slice(prefix.length)));
  return isShared ? prefix : "";
}

/** Whether JSON calls a field otherwise than its property. */
export const jsonOf = (field: Field, property: string): string | undefined => (field.jsonName === property ? undefined : field.jsonName);
