import type { Method, Service } from "../model.ts";
import { free, methodName } from "./names.ts";
import { docText, indent } from "./print.ts";
import type { References } from "./references.ts";

/** A service as a value, and the types of its client and its server. */
export function serviceText(
  service: Service,
  references: References,
): { readonly value: string; readonly declaration: string; readonly types: string; readonly plain: string } {
  const names = references.names.services.get(service.fullName) ?? { service: service.name, client: "", server: "" };
  const doc = docText(service, 0);
  const taken = new Set<string>();
  const keys = service.methods.map((method) => {
    const key = free(methodName(method.name), taken);
    taken.add(key);
    return { method, key };
  });
  const values = keys.map(({ method, key }) => methodText(method, key, references)).join("");
  const declarations = keys.map(({ method, key }) => methodDeclaration(method, key, references)).join("");
  const methods = keys.length === 0 ? "{}" : `{\n${values}${indent(1)}}`;
  const body = `{\n${indent(1)}name: ${JSON.stringify(service.fullName)},\n${indent(1)}methods: ${methods},\n}`;
  const declared = keys.length === 0 ? "{}" : `{\n${declarations}${indent(1)}}`;
  return {
    value: `${doc}export const ${names.service} = ${body} as const satisfies Service;\n`,
    plain: `${doc}export const ${names.service} = ${body};\n`,
    declaration: `${doc}export declare const ${names.service}: {\n${indent(1)}readonly name: ${JSON.stringify(service.fullName)};\n${indent(1)}readonly methods: ${declared};\n};\n`,
    types:
      `/** Calls the service \`${service.fullName}\`. */\nexport type ${names.client} = ServiceClient<typeof ${names.service}>;\n` +
      `/** Implements the service \`${service.fullName}\`. */\nexport type ${names.server} = Implementation<typeof ${names.service}>;\n`,
  };
}

const partsOf = (method: Method, references: References): [string, string][] => [
  ["path", JSON.stringify(method.path)],
  ["requestStream", `${method.requestStream}`],
  ["responseStream", `${method.responseStream}`],
  ["request", references.type(method.request)],
  ["response", references.type(method.response)],
  ...(method.idempotency === "unknown" ? [] : [["idempotency", JSON.stringify(method.idempotency)] satisfies [string, string]]),
];

function methodText(method: Method, key: string, references: References): string {
  const parts = partsOf(method, references).map(([name, text]) => `${indent(3)}${name}: ${text},\n`);
  return `${docText(method, 2)}${indent(2)}${key}: {\n${parts.join("")}${indent(2)}},\n`;
}
function methodDeclaration(method: Method, key: string, references: References): string {
  const parts = partsOf(method, references).map(
    ([name, text]) => `${indent(3)}readonly ${name}: ${name === "request" || name === "response" ? `typeof ${text}` : text};\n`,
  );
  return `${docText(method, 2)}${indent(2)}readonly ${key}: {\n${parts.join("")}${indent(2)}};\n`;
}
