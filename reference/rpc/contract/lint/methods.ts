import type { Method } from "../model.ts";
import type { Linted } from "./linted.ts";
import type { LintRule } from "./rule.ts";
import { lastPart, pascalCase } from "./words.ts";

const each =
  (wrong: (of: Linted["methods"][number], linted: Linted) => string | undefined): LintRule["find"] =>
  (linted) =>
    linted.methods.flatMap((one) => {
      const text = wrong(one, linted);
      return text === undefined ? [] : [{ on: one.method, at: one.method.place, text }];
    });

/** Requests are named after their method, alone or with its service. */
const named = (part: "request" | "response", suffix: string): LintRule["find"] =>
  each(({ method, of }) => {
    const [short, long] = [`${pascalCase(method.name)}${suffix}`, `${pascalCase(of.name)}${pascalCase(method.name)}${suffix}`];
    const name = lastPart(method[part]);
    if (name === short || name === long) return undefined;
    return `The ${part} of the method "${method.name}" is called "${name}": call it "${short}" or "${long}", so that it can grow with its method.`;
  });

/** The methods of the contract's own files that use a message, on either side. */
const uses = (message: string, { methods }: Linted): readonly Method[] =>
  methods.map(({ method }) => method).filter(({ request, response }) => request === message || response === message);

/** What methods take and answer with. */
export const METHOD_RULES: readonly LintRule[] = [
  { name: "RPC_REQUEST_STANDARD_NAME", group: "standard", find: named("request", "Request") },
  { name: "RPC_RESPONSE_STANDARD_NAME", group: "standard", find: named("response", "Response") },
  {
    name: "RPC_REQUEST_RESPONSE_UNIQUE",
    group: "standard",
    find: each(({ method }, linted) => {
      if (method.request === method.response)
        return `The method "${method.name}" takes and answers with "${method.request}": give it two messages, so that each can grow.`;
      const shared = [method.request, method.response].filter((message) => uses(message, linted).length > 1);
      if (shared.length === 0) return undefined;
      return `The method "${method.name}" shares ${shared.map((name) => `"${name}"`).join(" and ")} with other methods: give it messages of its own, so that they can grow.`;
    }),
  },
  {
    name: "RPC_NO_CLIENT_STREAMING",
    group: "unary",
    find: each(({ method }) => (method.requestStream ? `The method "${method.name}" takes a stream of requests.` : undefined)),
  },
  {
    name: "RPC_NO_SERVER_STREAMING",
    group: "unary",
    find: each(({ method }) => (method.responseStream ? `The method "${method.name}" answers with a stream.` : undefined)),
  },
];
