import { codecCommand } from "../harness/subject/codec-command.ts";
import { role, type Suite } from "../harness/suite.ts";
import type { AnyCase } from "../harness/case.ts";
import { dialectIn, isWeb, anyDialectIn } from "./dialect.ts";
import { isOverAnyVersion, overIn, refuseOver } from "./over.ts";

/** Whether a case needs TLS. */
const isTlsCase = (id: string): boolean => id.startsWith("rpc/server-channelz-socket-tls-");
/** The cases about the time-out of a proxy. */
const TIMED: readonly string[] = ["rpc/proxy-origin-silent", "rpc/proxy-origin-without-settings"];
/** Whether a case is of the dialects for browsers and plain HTTP. */
const isWebCase = (id: string): boolean => /^rpc\/server-(connect|web)-/.test(id);

export const suite: Suite = {
  about: "RPC over HTTP/2, and its dialects for browsers: servers, clients, proxies, and codecs of its wire level",
  roles: {
    server: role<"server", AnyCase>({
      cases: async (settings) => {
        const dialect = anyDialectIn(settings);
        const over = overIn(settings);
        if (isWeb(dialect)) return over === undefined ? (await import("./cases/web/load.ts")).webCases(dialect) : refuseOver();
        const cases = (await import("./cases/server/load.ts")).serverCases(dialect);
        return over === undefined ? cases : cases.filter(isOverAnyVersion);
      },
      driver: async ({ url }, { timeout = 2000, verify, reach, pid, settings }) => {
        const dialect = anyDialectIn(settings);
        const options = { url, timeout, verify, reach, ...(pid === undefined ? {} : { pid }) };
        if (isWeb(dialect)) return new (await import("./driver/web/server.ts")).WebServerDriver({ ...options, dialect });
        const over = overIn(settings);
        return new (await import("./driver/server.ts")).RpcServerDriver({ ...options, dialect, ...(over !== undefined && { over }) });
      },
      reaching: ["fields", "place", "socket"],
      concurrency: 16,
      words: async () => {
        const [{ FEATURES }, { monitorNames }, { REFUSALS }, { WEB_FEATURES }, { WEB_MONITORS }, { WEB_REFUSALS }] = await Promise.all([
          import("./driver/probe.ts"),
          import("./driver/monitors.ts"),
          import("./vocabulary.ts"),
          import("./driver/web/probe.ts"),
          import("./driver/web/monitors.ts"),
          import("./web-vocabulary.ts"),
        ]);
        return {
          features: [...new Set([...Object.keys(FEATURES), ...Object.keys(WEB_FEATURES)])],
          monitors: [...monitorNames, ...WEB_MONITORS],
          refusals: [...new Set([...REFUSALS, ...WEB_REFUSALS])],
        };
      },
      embedded: {
        name: "touchstone's own server",
        subjects: [
          {
            note: "in a process of its own",
            takes: ({ group }) => group === "abuse",
            start: async () => (await import("./embedded/server.ts")).startApart(),
          },
          { takes: ({ id }) => !isWebCase(id), start: async () => (await import("./embedded/server.ts")).startServer() },
          {
            note: "over TLS",
            takes: ({ id }) => isTlsCase(id),
            start: async () => (await import("./embedded/server.ts")).startServer({ tls: true }),
          },
          {
            note: "over mutual TLS",
            takes: ({ id }) => isTlsCase(id),
            start: async () => (await import("./embedded/server.ts")).startMutual(),
          },
          {
            note: "in the dialects for browsers and plain HTTP",
            takes: ({ id }) => isWebCase(id),
            start: async () => (await import("./embedded/web-server.ts")).startWebServer(),
          },
        ],
      },
    }),
    client: role<"client", AnyCase>({
      cases: async (settings) => {
        const dialect = anyDialectIn(settings);
        if (overIn(settings) !== undefined) return refuseOver();
        return isWeb(dialect)
          ? (await import("./cases/web-client/load.ts")).webClientCases(dialect)
          : (await import("./cases/client/load.ts")).clientCases();
      },
      driver: async ({ client }, { timeout = 2000, settings }) => {
        const dialect = anyDialectIn(settings);
        if (isWeb(dialect)) return new (await import("./driver/web-client/client.ts")).WebClientDriver({ client, timeout, dialect });
        return new (await import("./driver/client.ts")).RpcClientDriver({ client, timeout, dialect });
      },
      concurrency: 8,
      words: async () => {
        const [{ CLIENT_FEATURES }, { monitorNames }, { REFUSALS }, { WEB_CLIENT_FEATURES }, { WEB_CLIENT_MONITORS }, web] =
          await Promise.all([
            import("./driver/client-features.ts"),
            import("./driver/client-monitors.ts"),
            import("./client-vocabulary.ts"),
            import("./driver/web-client/features.ts"),
            import("./driver/web-client/monitors.ts"),
            import("./web-client-vocabulary.ts"),
          ]);
        return {
          features: [...new Set([...Object.keys(CLIENT_FEATURES), ...Object.keys(WEB_CLIENT_FEATURES)])],
          monitors: [...new Set([...monitorNames, ...WEB_CLIENT_MONITORS])],
          refusals: [...new Set([...REFUSALS, ...web.WEB_CLIENT_REFUSALS])],
        };
      },
      embedded: {
        name: "touchstone's own client",
        subjects: [{ start: async () => ({ subject: { client: (await import("./embedded/client.ts")).client } }) }],
      },
    }),
    proxy: role({
      cases: async (settings) => {
        dialectIn(settings);
        if (overIn(settings) !== undefined) return refuseOver();
        return (await import("./cases/proxy/load.ts")).proxyCases();
      },
      driver: async (subject, { timeout = 1000, verify, settings }) => {
        const { RpcProxyDriver } = await import("./driver/proxy.ts");
        return new RpcProxyDriver({ ...subject, timeout, verify, dialect: dialectIn(settings) });
      },
      concurrency: 1,
      words: async () => ({ features: [], monitors: [], refusals: (await import("./proxy-vocabulary.ts")).REFUSALS }),
      embedded: {
        name: "touchstone's own proxy",
        subjects: [
          {
            note: "with a time-out",
            takes: ({ id }) => TIMED.includes(id),
            start: async () => ({ subject: { proxy: (await import("./embedded/proxy.ts")).startBriefProxy } }),
          },
          { start: async () => ({ subject: { proxy: (await import("./embedded/proxy.ts")).startProxy } }) },
        ],
      },
    }),
    codec: role({
      cases: async (settings) => {
        if (overIn(settings) !== undefined) return refuseOver();
        return (await import("./cases/codec/load.ts")).codecCases(dialectIn(settings));
      },
      driver: async ({ codec }, { settings, timeout = 2000 }) =>
        new (await import("./driver/codec.ts")).CodecDriver({ command: codec, timeout }, dialectIn(settings)),
      concurrency: 1,
      words: async () => {
        const { CODEC_FEATURES } = await import("./driver/codec.ts");
        return { features: Object.keys(CODEC_FEATURES), monitors: [], refusals: (await import("./codec-vocabulary.ts")).REFUSALS };
      },
      embedded: {
        name: "touchstone's own codec",
        subjects: [{ start: async () => ({ subject: { codec: codecCommand("../../vectors/rpc/adapter.ts", import.meta.url) } }) }],
      },
    }),
  },
  flags: [
    {
      name: "dialect",
      value: "<name>",
      about: "the names of fields and content types: rpc (default) or grpc; for servers and clients also grpc-web or connect",
      otherCases: ["grpc-web", "connect"],
    },
    {
      name: "over",
      value: "<version>",
      about: "for servers in the dialects rpc and grpc: http3 calls them over HTTP/3, with the cases that are not about frames of HTTP/2",
    },
  ],
  examples: [
    ["rpc http://127.0.0.1:8080/ --dialect grpc", "a server that implements vectors/rpc/conformance.proto"],
    ["rpc https://127.0.0.1:8443/ --dialect grpc --over http3", "the same over HTTP/3"],
    ["rpc http://127.0.0.1:8080/ --dialect connect", "the same service for plain HTTP, over HTTP/1.1 and HTTP/2"],
    ["rpc --client './my-adapter' --dialect grpc", "a client, by a program that makes the calls it reads"],
    ["rpc --client './my-adapter' --dialect connect", "the same for a client of plain HTTP"],
    ["rpc --proxy nginx --dialect grpc", "a reverse proxy that peers lists"],
    ["rpc --proxy http://127.0.0.1:8080/ --origin 127.0.0.1:9090 --dialect grpc", "a running proxy, which forwards to 127.0.0.1:9090"],
    ["rpc --codec './my-codec' --dialect grpc", "messages, timeouts, statuses and metadata, without a socket"],
  ],
};
