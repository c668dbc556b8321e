import { checkContract } from "../check/index.ts";
import type { Contract, ContractFile, Enum, Field, Message } from "../model.ts";
import type { Problems } from "../place.ts";
import type { FileNode } from "../syntax.ts";
import { Builder } from "./build.ts";
import { Scope } from "./scope.ts";
import { Symbols } from "./symbols.ts";

/** Joins parsed files to a contract: resolves their names, and checks it. `files` are in order: imported ones come first. */
export function linkContract(files: readonly FileNode[], roots: readonly string[], problems: Problems): Contract {
  const symbols = new Symbols(problems);
  for (const file of files) symbols.addFile(file);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const built = new Map<string, ContractFile>();
  for (const file of files) {
    const scope = new Scope(symbols, problems, visibleFrom(file, byPath));
    built.set(file.path, new Builder(file, scope, problems).build());
  }
  const contract = contractOf(built, roots);
  checkContract(contract, problems);
  return contract;
}

/** The files whose names `file` sees, each with the import that makes it visible. */
function visibleFrom(file: FileNode, byPath: ReadonlyMap<string, FileNode>): ReadonlyMap<string, string | undefined> {
  const visible = new Map<string, string | undefined>([[file.path, undefined]]);
  const add = (path: string, by: string): void => {
    if (visible.has(path)) return;
    visible.set(path, by);
    for (const { kind, path: inner } of byPath.get(path)?.imports ?? []) if (kind === "public") add(inner.text, by);
  };
  // What a file imports itself is first: a public import must not be the one that counts as used.
  for (const { path } of file.imports) if (!visible.has(path.text)) visible.set(path.text, path.text);
  for (const { path } of file.imports)
    for (const { kind, path: inner } of byPath.get(path.text)?.imports ?? []) if (kind === "public") add(inner.text, path.text);
  return visible;
}

function contractOf(files: ReadonlyMap<string, ContractFile>, roots: readonly string[]): Contract {
  const messages = new Map<string, Message>();
  const enums = new Map<string, Enum>();
  const extensions = new Map<string, Field>();
  const all = [...files.values()];
  const visit = (message: Message): void => {
    messages.set(message.fullName, message);
    for (const one of message.enums) enums.set(one.fullName, one);
    for (const one of message.extensions) extensions.set(one.fullName, one);
    message.messages.forEach(visit);
  };
  for (const file of all) {
    file.messages.forEach(visit);
    for (const one of file.enums) enums.set(one.fullName, one);
    for (const one of file.extensions) extensions.set(one.fullName, one);
  }
  const services = new Map(all.flatMap((file) => file.services).map((service) => [service.fullName, service]));
  return { files, roots: roots.flatMap((path) => files.get(path) ?? []), messages, enums, services, extensions };
}
