import type {
  ChannelRecord,
  Counter,
  ServerRecord,
  SocketAddress,
  SocketInfo,
  SocketRecord,
  SubchannelRecord,
  Trace,
} from "../../../rpc/channelz/index.ts";
import type { ConnectivityState } from "../../../rpc/index.ts";

/** The messages of channelz, as `contract.ts` has them. */

const STATES: Readonly<Record<ConnectivityState, number>> = { IDLE: 1, CONNECTING: 2, READY: 3, TRANSIENT_FAILURE: 4, SHUTDOWN: 5 };
const SEVERITIES = { info: 1, warning: 2, error: 3 } as const;

const timestamp = (ms: number | undefined): object | undefined =>
  ms === undefined ? undefined : { seconds: BigInt(Math.floor(ms / 1_000)), nanos: Math.floor(ms % 1_000) * 1_000_000 };

const subchannelRef = ({ id, name }: Pick<SubchannelRecord, "id" | "name">): object => ({ subchannelId: BigInt(id), name });
export const socketRef = ({ id, name }: SocketRecord): object => ({ socketId: BigInt(id), name });

const traceMessage = ({ logged, createdMs, events }: Trace): object => ({
  numEventsLogged: BigInt(logged),
  creationTimestamp: timestamp(createdMs),
  events: events.map(({ description, severity, atMs, subchannel }) => ({
    description,
    severity: SEVERITIES[severity],
    timestamp: timestamp(atMs),
    ...(subchannel !== undefined && { childRef: { is: "subchannelRef", value: subchannelRef(subchannel) } }),
  })),
});
const callsMessage = ({ started, succeeded, failed, lastStartedMs }: Counter): object => ({
  callsStarted: BigInt(started),
  callsSucceeded: BigInt(succeeded),
  callsFailed: BigInt(failed),
  lastCallStartedTimestamp: timestamp(lastStartedMs),
});

export const channelMessage = ({ id, name, state, trace, calls, subchannels }: ChannelRecord): object => ({
  ref: { channelId: BigInt(id), name },
  data: { state: { state: STATES[state()] }, target: name, trace: traceMessage(trace), ...callsMessage(calls) },
  subchannelRef: Array.from(subchannels.values(), subchannelRef),
});
export const subchannelMessage = (subchannel: SubchannelRecord): object => ({
  ref: subchannelRef(subchannel),
  data: {
    state: { state: STATES[subchannel.state] },
    target: subchannel.name,
    trace: traceMessage(subchannel.trace),
    ...callsMessage(subchannel.calls),
    maxConnectionsPerSubchannel: subchannel.most,
  },
  socketRef: Array.from(subchannel.sockets.values(), socketRef),
});
export const serverMessage = ({ id, name, trace, calls, listening }: ServerRecord): object => ({
  ref: { serverId: BigInt(id), name },
  data: { trace: traceMessage(trace), ...callsMessage(calls) },
  listenSocket: Array.from(listening.values(), socketRef),
});

export function socketMessage(socket: SocketRecord): object {
  const { streams, messagesSent, messagesReceived, lastSentMs, lastReceivedMs, isClient } = socket;
  const { local, remote, security, remoteName = "" } = socket.info();
  const begun = timestamp(streams.lastStartedMs);
  return {
    ref: socketRef(socket),
    data: {
      streamsStarted: BigInt(streams.started),
      streamsSucceeded: BigInt(streams.succeeded),
      streamsFailed: BigInt(streams.failed),
      messagesSent: BigInt(messagesSent),
      messagesReceived: BigInt(messagesReceived),
      ...(isClient ? { lastLocalStreamCreatedTimestamp: begun } : { lastRemoteStreamCreatedTimestamp: begun }),
      lastMessageSentTimestamp: timestamp(lastSentMs),
      lastMessageReceivedTimestamp: timestamp(lastReceivedMs),
    },
    local: addressMessage(local),
    remote: addressMessage(remote),
    security: securityMessage(security),
    remoteName,
  };
}

function addressMessage(address: SocketAddress | undefined): object | undefined {
  if (address === undefined) return undefined;
  if (address.is === "ip") return { address: { is: "tcpipAddress", value: { ipAddress: address.octets, port: address.port } } };
  return { address: { is: "otherAddress", value: { name: address.name } } };
}

function securityMessage(security: SocketInfo["security"]): object | undefined {
  if (security === undefined) return undefined;
  const { cipher, local, remote } = security;
  const cipherSuite = { is: cipher.startsWith("TLS_") ? "standardName" : "otherName", value: cipher };
  const certificates = {
    ...(local !== undefined && { localCertificate: local }),
    ...(remote !== undefined && { remoteCertificate: remote }),
  };
  return { model: { is: "tls", value: { cipherSuite, ...certificates } } };
}
