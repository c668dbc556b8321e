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
  const [answer] = await asked(version, [{ host: "here", messageRequest: { is: "listServices", value: "*" } }]);
  expect(answer!.validHost).toBe("here");
  expect(answer!.messageResponse?.is === "listServicesResponse" && answer!.messageResponse.value.service.map(({ name }) => name)).toEqual([
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
    "test.Echo",
    "touchstone.echo.v1.Echo",
  ]);
});

test("a file by symbol, by name, and again when it is asked for again", async () => {
  const answers = await asked("v1", [
    { messageRequest: { is: "fileContainingSymbol", value: "touchstone.echo.v1.Echo.Unary" } },
    { messageRequest: { is: "fileByFilename", value: "touchstone/echo/v1/echo.proto" } },
  ]);
  for (const { messageResponse } of answers)
    expect(messageResponse).toEqual({ is: "fileDescriptorResponse", value: { fileDescriptorProto: [expect.any(Uint8Array)] } });
  expect(answers[0]!.originalRequest!.messageRequest).toEqual({ is: "fileContainingSymbol", value: "touchstone.echo.v1.Echo.Unary" });
});

test("what is not there is NOT_FOUND, what asks nothing INVALID_ARGUMENT, and the call goes on", async () => {
  const answers = await asked("v1", [
    { messageRequest: { is: "fileContainingSymbol", value: "test.Echo" } },
    { messageRequest: { is: "fileByFilename", value: "other.proto" } },
    { messageRequest: { is: "fileContainingExtension", value: { containingType: "touchstone.echo.v1.Message", extensionNumber: 7 } } },
    { messageRequest: { is: "allExtensionNumbersOfType", value: "other.Message" } },
    {},
    { messageRequest: { is: "allExtensionNumbersOfType", value: "touchstone.echo.v1.Message" } },
  ]);
  const codes = answers.map(({ messageResponse: answer }) => answer?.is === "errorResponse" && answer.value.errorCode);
  expect(codes).toEqual([5, 5, 5, 5, 3, false]);
  expect(answers[1]!.messageResponse!.value).toMatchObject({ errorMessage: 'There is no file "other.proto".' });
  expect(answers[5]!.messageResponse!.value).toMatchObject({ baseTypeName: "touchstone.echo.v1.Message" });
});
