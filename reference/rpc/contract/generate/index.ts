import type { Contract, ContractFile, Enum, Message } from "../model.ts";
import { enumText, messageTypeText, messageValueText } from "./messages.ts";
import { docText, importText } from "./print.ts";
import { isWellKnown, neededFiles, outputOf, PACKAGE, type Places, References } from "./references.ts";
import { serviceText } from "./services.ts";

export type GenerateOptions = Partial<Places> & {
  /** `ts` writes TypeScript, `js` JavaScript with declarations beside it. */
  readonly language?: "ts" | "js";
};
export type GeneratedFile = { readonly path: string; readonly content: string };

/** The code of some files of a contract. The same contract always gives the same text. */
export function generate(
  contract: Contract,
  paths: readonly string[],
  { language = "ts", ...given }: GenerateOptions = {},
): readonly GeneratedFile[] {
  const extension = given.extension ?? (language === "js" ? ".js" : PACKAGE.extension);
  const places: Places = { ...PACKAGE, ...given, extension };
  return paths.flatMap((path) => {
    const file = contract.files.get(path);
    if (file === undefined) return [];
    const output = outputOf(path);
    const references = (): References => new References(contract, file, places);
    if (language === "ts") return [{ path: `${output}.ts`, content: typeScript(file, references(), places) }];
    return [
      { path: `${output}.js`, content: javaScript(file, references(), places) },
      { path: `${output}.d.ts`, content: declarations(file, references(), places) },
    ];
  });
}

/** The roots of a contract and the files that their code needs, without those that come with the package. */
export function withNeeded(contract: Contract): readonly string[] {
  const needed = new Set<string>();
  const visit = (path: string): void => {
    const file = contract.files.get(path);
    if (file === undefined || needed.has(path)) return;
    needed.add(path);
    for (const other of neededFiles(contract, file)) if (!isWellKnown(other)) visit(other);
  };
  for (const { path } of contract.roots) visit(path);
  return [...needed];
}

const allMessages = (messages: readonly Message[]): Message[] => messages.flatMap((one) => [one, ...allMessages(one.messages)]);
const allEnums = (file: ContractFile): Enum[] => [...file.enums, ...allMessages(file.messages).flatMap(({ enums }) => enums)];

function typeScript(file: ContractFile, references: References, places: Places): string {
  const enums = allEnums(file).map((one) => {
    const { value, type } = enumText(one, references);
    return value + type;
  });
  const messages = allMessages(file.messages).map((one) => messageTypeText(one, references) + messageValueText(one, references, true));
  const services = file.services.map((one) => {
    const { value, types } = serviceText(one, references);
    return value + types;
  });
  const rpc = services.length === 0 ? [] : ["Implementation", "Service", "ServiceClient"];
  return join(file, importsText(references, places, rpc), [...enums, ...messages, ...services]);
}

function javaScript(file: ContractFile, references: References, places: Places): string {
  const enums = allEnums(file).map((one) => enumText(one, references).value);
  const messages = allMessages(file.messages).map((one) => docText(one, 0) + messageValueText(one, references, false));
  const services = file.services.map((one) => serviceText(one, references).plain);
  const { runtime, modules } = references.imports;
  return join(file, importText("import", runtime, places.runtime) + moduleImports(modules), [...enums, ...messages, ...services]);
}

function declarations(file: ContractFile, references: References, places: Places): string {
  const enums = allEnums(file).map((one) => {
    const { declaration, type } = enumText(one, references);
    references.runtimeType("EnumObject");
    return declaration + type;
  });
  const messages = allMessages(file.messages).map((one) => {
    const name = references.type(one.fullName);
    return `${messageTypeText(one, references)}export declare const ${name}: ${references.runtimeType("MessageType")}<${name}>;\n`;
  });
  const services = file.services.map((one) => {
    const { declaration, types } = serviceText(one, references);
    return declaration + types;
  });
  const rpc = services.length === 0 ? [] : ["Implementation", "ServiceClient"];
  const { types, modules } = references.imports;
  const imports = importText("import type", types, places.runtime) + moduleImports(modules) + importText("import type", rpc, places.rpc);
  return join(file, imports, [...enums, ...messages, ...services]);
}

function importsText(references: References, places: Places, rpc: readonly string[]): string {
  const { runtime, types, modules } = references.imports;
  return (
    importText("import", runtime, places.runtime) +
    importText("import type", types, places.runtime) +
    moduleImports(modules) +
    importText("import type", rpc, places.rpc)
  );
}
const moduleImports = (modules: readonly (readonly [string, string])[]): string =>
  modules.map(([from, name]) => `import * as ${name} from ${JSON.stringify(from)};\n`).join("");

function join(file: ContractFile, imports: string, declared: readonly string[]): string {
  const head = `// Generated by touchstone from ${file.path}. Do not edit.\n`;
  const content = declared.length === 0 ? "export {};\n" : declared.join("\n");
  return [head + imports, content].join("\n");
}
