import { expect, test } from "vitest";
import { openChannel } from "../client.ts";
import { echo } from "../echo.ts";
import { implement, serveRpc } from "../server.ts";
import { ECHO, ECHOES } from "../testing.ts";
import { type ReflectionRequest, type ReflectionResponse, type ReflectionVersion, reflectionService } from "./contract.ts";
import { reflection } from "./reflection.ts";

/** The answers of a server with a described service, and one that is not. */
async function asked(version: ReflectionVersion, requests: readonly ReflectionRequest[]): Promise<ReflectionResponse[]> {
  const services = [echo(), implement(ECHO, ECHOES)];
  const server = await serveRpc([...services, ...reflection(services)], { graceMs: 100 });
  try {
    await using channel = openChannel(server.url, { graceMs: 100 });
    const { serverReflectionInfo } = channel.client(reflectionService(version)) as Record<
      string,
      (requests: AsyncIterable<ReflectionRequest>) => AsyncIterable<ReflectionResponse>
    >;
    // oxlint-disable-next-line typescript/require-await -- a stream that has all of it
    return await Array.fromAsync(
      serverReflectionInfo!(
        (async function* all() {
          yield* requests;
        })(),
      ),
    );
  } finally {
    await server.close();
  }
}

test.each(["v1", "v1alpha"] as const)("%s: lists all services, itself included", async (version) => {
  const [answer] = await asked(version, [{ host: "here", listServices: "*" }]);
  expect(answer!.validHost).toBe("here");
  expect(answer!.listServicesResponse!.service.map(({ name }) => name)).toEqual([
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
    "test.Echo",
    "touchstone.echo.v1.Echo",
  ]);
});

test("a file by symbol, by name, and again when it is asked for again", async () => {
  const answers = await asked("v1", [
    { fileContainingSymbol: "touchstone.echo.v1.Echo.Unary" },
    { fileByFilename: "touchstone/echo/v1/echo.proto" },
  ]);
  expect(answers.map(({ fileDescriptorResponse }) => fileDescriptorResponse!.fileDescriptorProto.length)).toEqual([1, 1]);
  expect(answers[0]!.originalRequest).toMatchObject({ fileContainingSymbol: "touchstone.echo.v1.Echo.Unary" });
});

test("what is not there is NOT_FOUND, what asks nothing INVALID_ARGUMENT, and the call goes on", async () => {
  const answers = await asked("v1", [
    { fileContainingSymbol: "test.Echo" },
    { fileByFilename: "other.proto" },
    { fileContainingExtension: { containingType: "touchstone.echo.v1.Message", extensionNumber: 7 } },
    { allExtensionNumbersOfType: "other.Message" },
    {},
    { allExtensionNumbersOfType: "touchstone.echo.v1.Message" },
  ]);
  expect(answers.map(({ errorResponse }) => errorResponse?.errorCode)).toEqual([5, 5, 5, 5, 3, undefined]);
  expect(answers[1]!.errorResponse!.errorMessage).toBe('There is no file "other.proto".');
  expect(answers[5]!.allExtensionNumbersResponse).toMatchObject({ baseTypeName: "touchstone.echo.v1.Message" });
});
