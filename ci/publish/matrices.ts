/** The published matrices: a suite and a role, with everybody who can be judged by them. */
import { clients, proxies, servers, startedServers, websockets, type Judge } from "./judges.ts";

/** Existing peers know these names. */
const EXISTING = { dialect: "grpc" };

export type Matrix = Judge & {
  readonly title: string;
  /** Of the same subjects: a fail that this one shows already is not new. */
  readonly kin?: string;
};
/** Every matrix, by the name of its files. */
export const MATRICES: Readonly<Record<string, Matrix>> = {
  "http1-servers": { title: "HTTP/1.1 servers, judged", ...servers("http1", "clear") },
  "http1-clients": { title: "HTTP/1.1 clients, judged", ...clients("http1") },
  "http1-proxies": { title: "HTTP/1.1 reverse proxies, judged", ...proxies("http1") },
  "http2-servers": { title: "HTTP/2 servers, judged", ...servers("http2", "clear") },
  "http2-servers-tls": { title: "HTTP/2 servers over TLS, judged", kin: "http2-servers", ...servers("http2", "tls") },
  "quic-servers": { title: "QUIC servers, judged", ...servers("quic", "tls") },
  "quic-clients": { title: "QUIC clients, judged", ...clients("quic") },
  "http3-servers": { title: "HTTP/3 servers, judged", ...servers("http3", "tls") },
  "http3-clients": { title: "HTTP/3 clients, judged", ...clients("http3") },
  "websocket-servers": { title: "WebSocket servers, judged", ...websockets() },
  "websocket-clients": { title: "WebSocket clients, judged", ...clients("websocket") },
  "metrics-servers": { title: "Metrics servers, judged", ...servers("metrics", "clear") },
  "metrics-targets": { title: "Pages of targets of metrics, judged", ...servers("metrics-target", "clear") },
  "alert-routers": { title: "Alert routers, judged", ...startedServers("alerts") },
  "alert-senders": { title: "Senders of alerts, judged", ...clients("alerts") },
  "scrape-clients": { title: "Scrapers of metrics, judged", ...clients("scrape") },
  "metrics-servers-themselves": { title: "Metrics servers: federation, reload, status, judged", ...clients("metrics-server") },
  "rules-servers": { title: "Rules and alerts of metrics servers, judged", ...clients("rules") },
  "http2-clients": { title: "HTTP/2 clients, judged", ...clients("http2") },
  "rpc-servers": { title: "Servers of RPC, judged", ...servers("rpc", "clear", EXISTING) },
  "rpc-servers-connect": { title: "Servers of RPC in the dialect connect, judged", ...servers("rpc", "clear", { dialect: "connect" }) },
  "rpc-servers-grpc-web": { title: "Servers of RPC in the dialect grpc-web, judged", ...servers("rpc", "clear", { dialect: "grpc-web" }) },
  "rpc-clients": { title: "Clients of RPC, judged", ...clients("rpc", EXISTING) },
  "rpc-clients-connect": { title: "Clients of RPC in the dialect connect, judged", ...clients("rpc", { dialect: "connect" }) },
  "rpc-clients-grpc-web": { title: "Clients of RPC in the dialect grpc-web, judged", ...clients("rpc", { dialect: "grpc-web" }) },
  "rpc-proxies": { title: "Reverse proxies of RPC, judged", ...proxies("rpc", EXISTING) },
};
