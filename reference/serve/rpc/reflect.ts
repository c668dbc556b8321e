import protobuf from "protobufjs";
import protojson from "protobufjs/ext/protojson.js";
import { Misuse } from "../../core/index.ts";
import type { AnyMethod, Codec, Service } from "../../rpc/index.ts";
import { writeFiles } from "./reflection/write-files.ts";

/** A message of a type that is known only when the program runs. */
export type AnyMessage = Readonly<Record<string, unknown>>;
/**
 * The services of a contract in the language of `.proto` files, by their full names. Generated code has types, and needs no contract. A contract
 * that imports others names well-known types only. `file` is its name for server reflection.
 */
export function servicesOf(contract: string, file?: string): ReadonlyMap<string, Service> {
  const root = new protobuf.Root();
  // The parser reads the name of the file here, and forgets it.
  if (file !== undefined) Object.assign(protobuf.parse, { filename: file });
  const { imports = [] } = protobuf.parse(contract, root, { keepCase: false });
  for (const name of imports) addWellKnown(root, name);
  return servicesIn(root);
}

function addWellKnown(root: protobuf.Root, name: string): void {
  const known = protobuf.common.get(name);
  if (known?.nested === undefined) throw new Misuse(`the contract imports "${name}": only well-known types can be imported here`);
  root.addJSON(known.nested);
}

/** The services of parsed contracts, by their full names. */
function servicesIn(root: protobuf.Root): ReadonlyMap<string, Service> {
  root.resolveAll();
  const services = new Map<string, Service>();
  let descriptors: readonly Uint8Array[] | undefined;
  const describe = (): readonly Uint8Array[] => (descriptors ??= writeFiles(root));
  const visit = (space: protobuf.NamespaceBase): void => {
    for (const one of space.nestedArray) {
      if (one instanceof protobuf.Service) services.set(one.fullName.slice(1), serviceOf(one, describe));
      else if (one instanceof protobuf.Namespace) visit(one);
    }
  };
  visit(root);
  return services;
}

function serviceOf(service: protobuf.Service, describe: () => readonly Uint8Array[]): Service {
  const name = service.fullName.slice(1);
  const methods = service.methodsArray.map((method): [string, AnyMethod] => [
    method.name.charAt(0).toLowerCase() + method.name.slice(1),
    {
      path: `/${name}/${method.name}`,
      requestStream: method.requestStream === true,
      responseStream: method.responseStream === true,
      request: codecOf(method.resolvedRequestType!),
      response: codecOf(method.resolvedResponseType!),
      ...idempotencyOf(method),
    },
  ]);
  return {
    name,
    methods: Object.fromEntries(methods),
    get descriptors() {
      return describe();
    },
  };
}

const IDEMPOTENCY: Readonly<Record<string, AnyMethod["idempotency"]>> = { NO_SIDE_EFFECTS: "no-side-effects", IDEMPOTENT: "idempotent" };
function idempotencyOf({ options }: protobuf.Method): Pick<AnyMethod, "idempotency"> {
  const idempotency = IDEMPOTENCY[String(options?.["idempotency_level"])];
  return idempotency === undefined ? {} : { idempotency };
}

const codecOf = (type: protobuf.Type): Codec<AnyMessage> => ({
  encode: (message) => {
    // The encoder would write a wrong value as another one.
    const wrong = type.verify(message);
    if (wrong !== null) throw new Misuse(`the message is not a ${type.name}: ${wrong}`);
    return type.encode(message).finish();
  },
  decode: (octets) => type.decode(octets) as unknown as AnyMessage,
  toJson: (message) => protojson.toJson(type, type.fromObject(message)) as unknown,
  // By way of octets: messages have the same form wherever they come from.
  fromJson: (json, { ignoreUnknown = false } = {}) => {
    const message = protojson.fromJson(type, json, { ignoreUnknownFields: ignoreUnknown });
    return type.decode(type.encode(message).finish()) as unknown as AnyMessage;
  },
});
