import type { OneOf } from "../../../rpc/message/index.ts";
import type { Service } from "../../../rpc/index.ts";
import { servicesOf } from "../reflect.ts";

/** Server reflection: the same service under two names, of which clients prefer the first. */
export const REFLECTION_VERSIONS = ["v1", "v1alpha"] as const;
export type ReflectionVersion = (typeof REFLECTION_VERSIONS)[number];

const contractOf = (version: ReflectionVersion): string => `
syntax = "proto3";
package grpc.reflection.${version};

service ServerReflection {
  rpc ServerReflectionInfo(stream ServerReflectionRequest) returns (stream ServerReflectionResponse);
}
message ServerReflectionRequest {
  string host = 1;
  oneof message_request {
    string file_by_filename = 3;
    string file_containing_symbol = 4;
    ExtensionRequest file_containing_extension = 5;
    string all_extension_numbers_of_type = 6;
    string list_services = 7;
  }
}
message ExtensionRequest { string containing_type = 1; int32 extension_number = 2; }
message ServerReflectionResponse {
  string valid_host = 1;
  ServerReflectionRequest original_request = 2;
  oneof message_response {
    FileDescriptorResponse file_descriptor_response = 4;
    ExtensionNumberResponse all_extension_numbers_response = 5;
    ListServiceResponse list_services_response = 6;
    ErrorResponse error_response = 7;
  }
}
message FileDescriptorResponse { repeated bytes file_descriptor_proto = 1; }
message ExtensionNumberResponse { string base_type_name = 1; repeated int32 extension_number = 2; }
message ListServiceResponse { repeated ServiceResponse service = 1; }
message ServiceResponse { string name = 1; }
message ErrorResponse { int32 error_code = 1; string error_message = 2; }
`;

/** The service of one version. */
export const reflectionService = (version: ReflectionVersion): Service =>
  servicesOf(contractOf(version), `grpc/reflection/${version}/reflection.proto`).get(`grpc.reflection.${version}.ServerReflection`)!;

/** A question. */
export type ReflectionRequest = {
  readonly host?: string;
  readonly messageRequest?: OneOf<{
    readonly fileByFilename: string;
    readonly fileContainingSymbol: string;
    readonly fileContainingExtension: { readonly containingType: string; readonly extensionNumber: number };
    readonly allExtensionNumbersOfType: string;
    readonly listServices: string;
  }>;
};
/** The answer to one. */
export type ReflectionResponse = {
  readonly validHost?: string;
  readonly originalRequest?: ReflectionRequest;
  readonly messageResponse?: OneOf<{
    readonly fileDescriptorResponse: { readonly fileDescriptorProto: readonly Uint8Array[] };
    readonly allExtensionNumbersResponse: { readonly baseTypeName: string; readonly extensionNumber: readonly number[] };
    readonly listServicesResponse: { readonly service: readonly { readonly name: string }[] };
    readonly errorResponse: { readonly errorCode: number; readonly errorMessage: string };
  }>;
};
