import protobuf from "protobufjs";
import { Misuse } from "../../core/index.ts";
import type { AnyMethod, Codec, Service } from "../../rpc/index.ts";

/** A message of a type that is known only when the program runs. */
export type AnyMessage = Readonly<Record<string, unknown>>;
/** The services of a contract in the language of `.proto` files, by their full names. Generated code has types, and needs no contract. */
export function servicesOf(contract: string): ReadonlyMap<string, Service> {
  const { root } = protobuf.parse(contract, { keepCase: false });
  root.resolveAll();
  const services = new Map<string, Service>();
  const visit = (space: protobuf.NamespaceBase): void => {
    for (const one of space.nestedArray) {
      if (one instanceof protobuf.Service) services.set(one.fullName.slice(1), serviceOf(one));
      else if (one instanceof protobuf.Namespace) visit(one);
    }
  };
  visit(root);
  return services;
}

function serviceOf(service: protobuf.Service): Service {
  const name = service.fullName.slice(1);
  const methods = service.methodsArray.map((method): [string, AnyMethod] => [
    method.name.charAt(0).toLowerCase() + method.name.slice(1),
    {
      path: `/${name}/${method.name}`,
      requestStream: method.requestStream === true,
      responseStream: method.responseStream === true,
      request: codecOf(method.resolvedRequestType!),
      response: codecOf(method.resolvedResponseType!),
    },
  ]);
  return { name, methods: Object.fromEntries(methods) };
}

const codecOf = (type: protobuf.Type): Codec<AnyMessage> => ({
  encode: (message) => {
    // The encoder would write a wrong value as another one.
    const wrong = type.verify(message);
    if (wrong !== null) throw new Misuse(`the message is not a ${type.name}: ${wrong}`);
    return type.encode(message).finish();
  },
  decode: (octets) => type.decode(octets) as unknown as AnyMessage,
});
