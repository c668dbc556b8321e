import { Misuse } from "../../core/index.ts";
import type { AnyMethod, Codec, Service } from "../../rpc/index.ts";
import { describeContract, FileDescriptorProto } from "../../rpc/contract/descriptor/index.ts";
import { type AnyMessage, type Contract, loadContract, messageTypes, methodName, problemText } from "../../rpc/contract/index.ts";

/**
 * The services of a contract in the language of `.proto` files, by their full names. Their messages have the form that those of generated code
 * have; generated code has types as well, and needs no contract. It may import well-known types, and `imports`, by their names. `file` is its name
 * for server reflection. `Misuse` for a contract with mistakes, which it names with their places.
 */
export function servicesOf(contract: string, file?: string, imports: Readonly<Record<string, string>> = {}): ReadonlyMap<string, Service> {
  const path = file ?? "contract.proto";
  const loaded = loadContract([path], (name) => (name === path ? contract : imports[name]));
  if (loaded.is === "problems") throw new Misuse(loaded.problems.map(problemText).join("\n"));
  return servicesIn(loaded.contract, path, file);
}

function servicesIn(contract: Contract, path: string, file: string | undefined): ReadonlyMap<string, Service> {
  const types = messageTypes(contract);
  const codecOf = (name: string): Codec<AnyMessage> => {
    const type = types.get(name)!;
    const typeOf = (other: string) => types.get(other);
    return {
      encode: (message) => type.encode(message),
      decode: (octets) => type.decode(octets),
      toJson: (message) => type.toJson(message, { typeOf }),
      fromJson: (json, options) => type.fromJson(json, { ...options, typeOf }),
    };
  };
  let descriptors: readonly Uint8Array[] | undefined;
  const describe = (): readonly Uint8Array[] =>
    (descriptors ??= describeContract(contract).map((one) =>
      FileDescriptorProto.encode(one.name === path ? { ...one, name: file ?? unnamed(one) } : one),
    ));
  return new Map(
    Array.from(contract.services.values(), ({ fullName: name, methods }) => [
      name,
      {
        name,
        methods: Object.fromEntries(
          methods.map(({ name: method, path: at, requestStream, responseStream, request, response, idempotency }): [string, AnyMethod] => [
            methodName(method),
            {
              path: at,
              requestStream,
              responseStream,
              request: codecOf(request),
              response: codecOf(response),
              ...(idempotency === "unknown" ? {} : { idempotency }),
            },
          ]),
        ),
        get descriptors() {
          return describe();
        },
      },
    ]),
  );
}

/** The file of a contract without a name has that of its package. */
const unnamed = ({ package: space = "" }: FileDescriptorProto): string => `${space.replaceAll(".", "_") || "contract"}.proto`;
