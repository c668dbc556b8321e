import { Status } from "../../../rpc/index.ts";
import { implement, type Implemented } from "../server.ts";
import { REFLECTION_VERSIONS, reflectionService, type ReflectionRequest, type ReflectionResponse } from "./contract.ts";
import { ContractFiles, type DescribedFile } from "./files.ts";

type Options = {
  /** Further files, as encoded `FileDescriptorProto`: those that services without `descriptors` come from. */
  readonly descriptors?: Iterable<Uint8Array>;
};

/**
 * Server reflection for these services: clients learn their contracts by it. It answers under both of its names, and
 * lists itself. A service is described by its `descriptors`; one without them is listed only.
 */
export function reflection(services: readonly Implemented[], { descriptors = [] }: Options = {}): Implemented[] {
  const own = REFLECTION_VERSIONS.map(reflectionService);
  const all = [...services.map(({ service }) => service), ...own];
  const files = new ContractFiles();
  for (const octets of descriptors) files.add(octets);
  for (const { descriptors: mine = [] } of all) for (const octets of mine) files.add(octets);
  const names = all.map(({ name }) => name).toSorted();
  return own.map((service) =>
    implement(service, {
      async *serverReflectionInfo(requests: AsyncIterable<ReflectionRequest>) {
        // A client asks about many symbols in one call: it has the files that the call has sent.
        const sent = new Set<string>();
        for await (const request of requests)
          yield { validHost: request.host ?? "", originalRequest: request, messageResponse: answer(request, { files, names, sent }) };
      },
    }),
  );
}

type Known = { readonly files: ContractFiles; readonly names: readonly string[]; readonly sent: Set<string> };

type Answer = ReflectionResponse["messageResponse"];

function answer({ messageRequest: asked }: ReflectionRequest, { files, names, sent }: Known): Answer {
  const found = (file: DescribedFile | undefined, what: string): Answer =>
    file === undefined
      ? error(Status.NOT_FOUND, what)
      : { is: "fileDescriptorResponse", value: { fileDescriptorProto: again(files, file, sent) } };
  switch (asked?.is) {
    case "fileByFilename":
      return found(files.byName(asked.value), `There is no file ${JSON.stringify(asked.value)}.`);
    case "fileContainingSymbol":
      return found(files.bySymbol(asked.value), `There is no symbol ${JSON.stringify(asked.value)}.`);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = asked.value;
      return found(files.byExtension(containingType, extensionNumber), `${containingType} has no extension ${extensionNumber}.`);
    }
    case "allExtensionNumbersOfType": {
      const numbers = files.extensionsOf(asked.value);
      if (numbers === undefined) return error(Status.NOT_FOUND, `There is no message ${JSON.stringify(asked.value)}.`);
      return { is: "allExtensionNumbersResponse", value: { baseTypeName: asked.value, extensionNumber: numbers } };
    }
    case "listServices":
      return { is: "listServicesResponse", value: { service: names.map((name) => ({ name })) } };
    case undefined:
      return error(Status.INVALID_ARGUMENT, "The request asks nothing: set one of its fields.");
  }
}

/** A file with those that it imports, unless the call has sent them. The file that is asked for is sent in any case. */
function again(files: ContractFiles, file: DescribedFile, sent: Set<string>): Uint8Array[] {
  sent.delete(file.name);
  return files.withImports(file, sent);
}
const error = (errorCode: number, errorMessage: string): Answer => ({ is: "errorResponse", value: { errorCode, errorMessage } });
