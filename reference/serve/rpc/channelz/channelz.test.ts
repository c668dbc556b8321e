import { expect, test } from "vitest";
import { CallFailed, Status } from "../../../rpc/index.ts";
import { openChannel, type Channel } from "../client.ts";
import type { ChannelOptions, RpcServeOptions } from "../options.ts";
import { implement, serveRpc } from "../server.ts";
import { ECHO, ECHOES, failure } from "../testing.ts";
import { Channelz } from "./channelz.ts";
import { CHANNELZ } from "./contract.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- answers of a contract that is read at run time
type Answers = Record<string, (request: object) => Promise<any>>;

/** A server that has the service and the echo service, its channelz, and a channel that channelz shows. */
async function started(serving: RpcServeOptions = {}, calling: ChannelOptions = {}) {
  const channelz = new Channelz();
  const one = (text: string): string => {
    if (text === "no") throw new CallFailed(Status.ABORTED, "no");
    return text;
  };
  const services = [implement(ECHO, { ...ECHOES, one }), channelz.service()];
  const server = await serveRpc(services, { graceMs: 100, channelz, ...serving });
  const channel = openChannel(server.url, { graceMs: 100, channelz, ...calling });
  // Not watched, so that questions count on the server only.
  const asking = openChannel(server.url, { graceMs: 100, ...calling, ...(calling.tls && { tls: calling.tls }) });
  const ask = asking.client(CHANNELZ) as unknown as Answers;
  return {
    server,
    channel,
    ask,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([channel.close(), asking.close()]);
      await server.close();
      // Nothing is left of them.
      const { channels, subchannels, servers, sockets } = channelz.registry;
      expect([channels.size, subchannels.size, servers.size, sockets.size]).toEqual([0, 0, 0, 0]);
    },
  };
}
/** Two good calls, one bad one, and one that the client leaves after its first message. */
async function calls(channel: Channel): Promise<void> {
  const echo = channel.client(ECHO);
  await echo.one("x");
  expect(await Array.fromAsync(echo.spread("a,b,c"))).toEqual(["a", "b", "c"]);
  expect((await failure(echo.one("no"))).status).toBe(Status.ABORTED);
  async function* asks(): AsyncGenerator<string> {
    yield "x";
    await new Promise(() => {});
  }
  for await (const text of echo.chat(asks())) {
    expect(text).toBe("x!");
    break;
  }
}

test("a channel, its subchannel and its socket: states, calls, streams, messages, addresses", async () => {
  await using at = await started();
  const idle = await at.ask["getTopChannels"]!({});
  expect(idle).toMatchObject({ end: true, channel: [{ data: { state: { state: 1 }, callsStarted: 0n }, subchannelRef: [] }] });
  await calls(at.channel);
  const { channel } = await at.ask["getChannel"]!({ channelId: idle.channel[0].ref.channelId });
  expect(channel).toMatchObject({
    ref: { name: at.server.url },
    data: {
      state: { state: 3 },
      target: at.server.url,
      callsStarted: 4n,
      callsSucceeded: 2n,
      callsFailed: 2n,
      lastCallStartedTimestamp: { seconds: expect.any(BigInt) },
    },
    subchannelRef: [{ subchannelId: expect.any(BigInt) }],
    socketRef: [],
  });
  const { subchannel } = await at.ask["getSubchannel"]!({ subchannelId: channel.subchannelRef[0].subchannelId });
  expect(subchannel.data).toMatchObject({
    state: { state: 3 },
    maxConnectionsPerSubchannel: 1,
    callsStarted: 4n,
    callsSucceeded: 2n,
    callsFailed: 2n,
  });
  expect(subchannel.data.trace.events.map(({ description }: { readonly description: string }) => description)).toEqual([
    "CONNECTING",
    "READY",
  ]);
  expect(channel.data.trace.events.at(-1).childRef).toEqual({ is: "subchannelRef", value: channel.subchannelRef[0] });
  const { socket } = await at.ask["getSocket"]!({ socketId: subchannel.socketRef[0].socketId });
  expect(socket).toMatchObject({
    data: { streamsStarted: 4n, streamsSucceeded: 3n, streamsFailed: 1n, messagesSent: 4n },
    remote: { address: { is: "tcpipAddress", value: { ipAddress: Uint8Array.of(127, 0, 0, 1), port: at.server.port } } },
  });
  expect(socket.data.messagesReceived).toBeGreaterThanOrEqual(5n);
  expect(socket.data.lastRemoteStreamCreatedTimestamp).toBeUndefined();
  expect(socket.data.lastLocalStreamCreatedTimestamp.seconds).toBeGreaterThan(1_700_000_000n);
});

test("a server and its sockets: calls, streams, messages, addresses; connections that end are gone", async () => {
  await using at = await started();
  await calls(at.channel);
  const counts = async () => (await at.ask["getServers"]!({})).server[0];
  // The questions count as well: one before this one, which is still open.
  await expect.poll(async () => (await counts()).data.callsFailed).toBe(2n);
  const { ref, listenSocket } = await counts();
  expect(ref.name).toBe("test.Echo, grpc.channelz.v1.Channelz");
  const { socket: listening } = await at.ask["getSocket"]!({ socketId: listenSocket[0].socketId });
  expect(listening.local.address.value.port).toBe(at.server.port);
  expect(listening.remote).toBeUndefined();
  const { socketRef } = await at.ask["getServerSockets"]!({ serverId: ref.serverId });
  expect(socketRef).toHaveLength(2);
  const sockets = await Promise.all(
    socketRef.map(async ({ socketId }: { readonly socketId: bigint }) => (await at.ask["getSocket"]!({ socketId })).socket),
  );
  const mine = sockets.find(({ data }) => data.streamsStarted === 4n);
  expect(mine).toMatchObject({
    data: { streamsSucceeded: 3n, streamsFailed: 1n, messagesReceived: 4n },
    local: { address: { value: { port: at.server.port } } },
  });
  expect(mine.data.messagesSent).toBeGreaterThanOrEqual(5n);
  expect(mine.data.lastLocalStreamCreatedTimestamp).toBeUndefined();
  await at.channel.close();
  await expect.poll(async () => (await at.ask["getServerSockets"]!({ serverId: ref.serverId })).socketRef.length).toBe(1);
  expect(await at.ask["getTopChannels"]!({})).toMatchObject({ channel: [], end: true });
});

test("over TLS a socket shows the cipher and the certificates", async () => {
  await using at = await started({ tls: true }, { tls: { verify: false } });
  await at.channel.client(ECHO).one("x");
  const { server } = await at.ask["getServers"]!({});
  const { socketRef } = await at.ask["getServerSockets"]!({ serverId: server[0].ref.serverId });
  const { socket } = await at.ask["getSocket"]!({ socketId: socketRef[0].socketId });
  const { is, value } = socket.security.model;
  expect([is, value.cipherSuite.is, value.localCertificate.length > 100, value.remoteCertificate.length]).toEqual([
    "tls",
    "standardName",
    true,
    0,
  ]);
  const { channel } = await at.ask["getTopChannels"]!({});
  const { subchannel } = await at.ask["getSubchannel"]!({ subchannelId: channel[0].subchannelRef[0].subchannelId });
  const { socket: other } = await at.ask["getSocket"]!({ socketId: subchannel.socketRef[0].socketId });
  expect(other.security.model.value.remoteCertificate).toEqual(value.localCertificate);
});

test.each([
  ["getChannel", { channelId: 99n }],
  ["getSubchannel", { subchannelId: 99n }],
  ["getServer", { serverId: 99n }],
  ["getServerSockets", { serverId: 99n }],
  ["getSocket", { socketId: -1n }],
])("%s: what is not there is NOT_FOUND", async (name, request) => {
  await using at = await started();
  expect((await failure(at.ask[name]!(request))).status).toBe(Status.NOT_FOUND);
});
test("a negative number of results is INVALID_ARGUMENT", async () => {
  await using at = await started();
  expect((await failure(at.ask["getServers"]!({ maxResults: -1n }))).status).toBe(Status.INVALID_ARGUMENT);
});

test("a server that cannot be reached: the subchannel says why", async () => {
  const channelz = new Channelz();
  await using server = await serveRpc([channelz.service()], { graceMs: 100 });
  const gone = await serveRpc([], { graceMs: 100 });
  await gone.close();
  await using lost = openChannel(gone.url, { graceMs: 100, channelz });
  await failure(lost.client(ECHO).one("x"));
  await using asking = openChannel(server.url, { graceMs: 100 });
  const ask = asking.client(CHANNELZ) as unknown as Answers;
  const { channel } = await ask["getTopChannels"]!({});
  expect(channel[0].data).toMatchObject({ state: { state: 4 }, callsStarted: 1n, callsFailed: 1n });
  const { subchannel } = await ask["getSubchannel"]!({ subchannelId: channel[0].subchannelRef[0].subchannelId });
  expect(subchannel.data).toMatchObject({ state: { state: 4 }, callsStarted: 0n });
  const last = subchannel.data.trace.events.at(-1);
  expect([last.severity, last.description]).toEqual([
    2,
    `TRANSIENT_FAILURE: nothing listens at 127.0.0.1:${gone.port}: is the server running?`,
  ]);
});

test("a server counts a call of a method that it does not have as failed", async () => {
  await using at = await started();
  const failed = async (): Promise<bigint> => {
    const { server } = (await at.ask["getServers"]!({})) as {
      readonly server: readonly { readonly data: { readonly callsFailed: bigint } }[];
    };
    return server[0]!.data.callsFailed;
  };
  expect(await failed()).toBe(0n);
  const call = at.channel.call({ ...ECHO.methods.one, path: "/test.Echo/None" }, "x") as Promise<string>;
  expect((await failure(call)).status).toBe(Status.UNIMPLEMENTED);
  await expect.poll(failed).toBe(1n);
});

test("a name without an address is in the trace of its channel", async () => {
  const channelz = new Channelz();
  const channel = openChannel("dns:///no-such-name.invalid:80", { graceMs: 100, channelz });
  expect((await failure(channel.client(ECHO).one("x"))).status).toBe(Status.UNAVAILABLE);
  const [record] = channelz.registry.channels.values();
  expect(record!.trace.events).toContainEqual(
    expect.objectContaining({ severity: "warning", description: expect.stringMatching(/^the name was not found: the name no-such-name/) }),
  );
  await channel.close();
});

test("a connection that has ended is not shown any more, and its subchannel is idle", async () => {
  const channelz = new Channelz();
  const { sockets, subchannels } = channelz.registry;
  const server = await serveRpc([implement(ECHO, ECHOES)], { graceMs: 100 });
  await using channel = openChannel(server.url, { graceMs: 100, channelz });
  await channel.client(ECHO).one("x");
  const states = (): string[] => Array.from(subchannels.values(), ({ state }) => state);
  expect([sockets.size, states()]).toEqual([1, ["READY"]]);
  await server.close();
  await expect.poll(() => [sockets.size, ...states()]).toEqual([0, "IDLE"]);
});
