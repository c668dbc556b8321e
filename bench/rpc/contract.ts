import { create, createFileRegistry, type DescService, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { ECHO } from "../../reference/serve/rpc/echo.ts";

/** The subjects, by the names of their packages. */
export const NAMES = ["touchstone", "@grpc/grpc-js", "@connectrpc/connect-node"] as const;
export type Name = (typeof NAMES)[number];

/** A message of the echo service. */
export type Echoed = { readonly text: string; readonly number: number };

/** The echo service as `@connectrpc/connect` wants it. */
export function describedEcho(): DescService {
  const file = [...(ECHO.descriptors ?? [])].map((octets) => fromBinary(FileDescriptorProtoSchema, octets));
  return createFileRegistry(create(FileDescriptorSetSchema, { file })).getService(ECHO.name)!;
}

/** A method of the echo service as `@grpc/grpc-js` wants it, with the codecs that ours uses. */
export function definitionOf(name: "unary" | "repeat") {
  const { path, requestStream, responseStream, request, response } = ECHO.methods[name]!;
  return {
    path,
    requestStream,
    responseStream,
    requestSerialize: (message: Echoed) => Buffer.from(request.encode(message)),
    requestDeserialize: (octets: Buffer) => request.decode(octets) as Echoed,
    responseSerialize: (message: Echoed) => Buffer.from(response.encode(message)),
    responseDeserialize: (octets: Buffer) => response.decode(octets) as Echoed,
  };
}
