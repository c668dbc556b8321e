import { codecCommand } from "../harness/subject/codec-command.ts";
import { role, type Settings, type Suite } from "../harness/suite.ts";
import { LARGEST, type Scale, wholeScale } from "./scale.ts";

const SILENCE_MS = 2000;
const scaleIn = ({ scale = 1 }: Settings): Scale => wholeScale(scale);
/** Cases for clients that our own client runs with a wss: address. */
const OVER_TLS: ReadonlySet<string> = new Set(
  ["handshake-resource-with-query", "length-65536-text", "ping-of-4", "close-with-code", "deflate-message"].map(
    (name) => `websocket/client-${name}`,
  ),
);
/** HTTP/3 needs TLS: the other cases of servers run in clear text. */
const isOverTcp = ({ id }: { readonly id: string }): boolean => !id.startsWith("websocket/http3-");
const WISHES = { serverBits: 12, serverTakeover: false, offersClientBits: false };
/** A program with wishes of its own about everything, whose text comes as octets. */
const WITH_WISHES = {
  deflate: WISHES,
  text: "octets",
  origin: "https://touchstone.example",
  fields: { "X-Touchstone": "a field of the program" },
} as const;
/** Octets as other types than `Uint8Array`. */
const asBuffer = (data: Uint8Array): ArrayBuffer => Uint8Array.from(data).buffer;
const asView = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength);
/** The echo of a larger message takes longer. */
const patience = (settings: Settings): number => SILENCE_MS * scaleIn(settings);

export const suite: Suite = {
  about: "WebSocket (RFC 6455), its compression (RFC 7692), over HTTP/2 (RFC 8441) and HTTP/3 (RFC 9220)",
  roles: {
    server: role({
      cases: async (settings) => (await import("./cases/load.ts")).serverCases(scaleIn(settings)),
      driver: async ({ url }, { settings, timeout = patience(settings), verify, reach, pid }) => {
        const { ServerDriver } = await import("./driver/index.ts");
        return new ServerDriver({ url, timeout, verify, reach, ...(pid === undefined ? {} : { pid }) });
      },
      reaching: ["fields", "place", "socket"],
      concurrency: 16,
      acceptsByProof: true,
      words: async () => {
        const { FEATURES, monitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(FEATURES), monitors: monitorNames, refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own WebSocket server",
        subjects: [
          { takes: isOverTcp, start: async () => (await import("./embedded/server.ts")).startServer() },
          { note: "in fragments", takes: isOverTcp, start: async () => (await import("./embedded/server.ts")).startPartingServer() },
          { note: "with small limits", takes: isOverTcp, start: async () => (await import("./embedded/server.ts")).startLimitedServer() },
          {
            note: "over HTTP/3",
            takes: (c) => !isOverTcp(c),
            start: async () => (await import("./embedded/server.ts")).startHttp3Server(),
          },
        ],
      },
    }),
    client: role({
      cases: async () => (await import("./cases/load.ts")).clientCases(),
      driver: async ({ client }, { settings, timeout = patience(settings), tls }) => {
        const { ClientDriver } = await import("./driver/index.ts");
        return new ClientDriver({ client, timeout, tls });
      },
      concurrency: 8,
      words: async () => {
        const { CLIENT_FEATURES, clientMonitorNames, monitorNames } = await import("./driver/index.ts");
        const { REFUSALS } = await import("./vocabulary.ts");
        return { features: Object.keys(CLIENT_FEATURES), monitors: [...monitorNames, ...clientMonitorNames], refusals: REFUSALS };
      },
      embedded: {
        name: "touchstone's own WebSocket client",
        subjects: [
          {
            takes: ({ id }) => !OVER_TLS.has(id),
            start: async () => ({ subject: { client: (await import("./embedded/client.ts")).echoing({ deflate: true }) } }),
          },
          {
            note: "over TLS",
            takes: ({ id }) => OVER_TLS.has(id),
            start: async () => ({
              subject: { client: (await import("./embedded/client.ts")).echoing({ deflate: true, tls: { verify: false } }) },
              tls: true,
            }),
          },
          {
            note: "without compression, with small limits",
            start: async () => {
              const { echoing, LIMITED } = await import("./embedded/client.ts");
              return { subject: { client: echoing({ ...LIMITED, as: asBuffer }) } };
            },
          },
          {
            note: "with requests for the server's compression",
            start: async () => {
              const { echoing } = await import("./embedded/client.ts");
              return { subject: { client: echoing({ ...WITH_WISHES, as: asView }) } };
            },
          },
          ...(
            [
              ["over HTTP/2", { deflate: true }, false],
              ["over HTTP/2 without compression, with small limits", { as: asBuffer }, true],
              [
                "over HTTP/2 with requests for the compression of both sides",
                { ...WITH_WISHES, deflate: { ...WISHES, clientTakeover: false }, as: asView },
                false,
              ],
            ] as const
          ).map(([note, options, isLimited]) => ({
            note,
            start: async () => {
              const { echoingOverHttp2, LIMITED } = await import("./embedded/client.ts");
              return { subject: { client: echoingOverHttp2({ ...options, ...(isLimited && LIMITED) }) } };
            },
          })),
        ],
      },
    }),
    codec: role({
      cases: async () => (await import("./cases/codec/load.ts")).codecCases(),
      driver: async ({ codec }, { settings, timeout = patience(settings) }) =>
        new (await import("./driver/codec.ts")).CodecDriver({ command: codec, timeout }),
      concurrency: 1,
      words: async () => {
        const { CODEC_FEATURES } = await import("./driver/codec.ts");
        return { features: Object.keys(CODEC_FEATURES), monitors: [], refusals: (await import("./codec-vocabulary.ts")).REFUSALS };
      },
      embedded: {
        name: "touchstone's own codec",
        subjects: [{ start: async () => ({ subject: { codec: codecCommand("../../vectors/websocket/adapter.ts", import.meta.url) } }) }],
      },
    }),
  },
  flags: [
    {
      name: "scale",
      value: "<n>",
      about: `how large the larger cases are (1), at most ${LARGEST}: messages of 16 MiB, thousands of them`,
    },
  ],
  examples: [
    ["websocket ws://127.0.0.1:9001/", "a server that echoes every message"],
    ["websocket --client 'my-client {url}'", "a client that echoes every message, and offers the subprotocols of ?protocols=a,b"],
    ["websocket --codec './my-codec'", "frames, fragments, compression and handshakes, without a socket"],
  ],
};
