/** The protocols of the public site, each with the matrices that its page shows. */
export const PROTOCOLS: readonly {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly matrices: readonly string[];
}[] = [
  {
    id: "http1",
    name: "HTTP/1.1",
    about: "Requests and responses as text. Where one message ends and the next begins is where the security holes are.",
    matrices: ["http1-servers", "http1-clients", "http1-proxies"],
  },
  {
    id: "http2",
    name: "HTTP/2",
    about: "Many requests on one connection, in frames, with compressed header fields and flow control.",
    matrices: ["http2-servers", "http2-servers-tls", "http2-clients"],
  },
  {
    id: "quic",
    name: "QUIC",
    about: "Encrypted connections with streams over UDP, the transport of HTTP/3.",
    matrices: ["quic-servers", "quic-clients"],
  },
  { id: "http3", name: "HTTP/3", about: "HTTP over QUIC instead of TCP.", matrices: ["http3-servers", "http3-clients"] },
  {
    id: "websocket",
    name: "WebSocket",
    about: "Messages in both directions after an HTTP handshake, with compression.",
    matrices: ["websocket-servers", "websocket-clients"],
  },
  {
    id: "rpc",
    name: "RPC",
    about: "Calls with typed messages over HTTP/2, as gRPC defines them, and their dialects for browsers: grpc-web and Connect.",
    matrices: [
      "rpc-servers",
      "rpc-clients",
      "rpc-proxies",
      "rpc-servers-connect",
      "rpc-clients-connect",
      "rpc-servers-grpc-web",
      "rpc-clients-grpc-web",
    ],
  },
  {
    id: "metrics",
    name: "Metrics",
    about: "Pages of measurements, the servers that collect and query them, and their rules.",
    matrices: ["metrics-servers", "metrics-targets", "scrape-clients", "rules-servers", "metrics-servers-themselves"],
  },
  {
    id: "alerts",
    name: "Alerts",
    about: "Routers that group, silence and send alerts, and the servers that send alerts to them.",
    matrices: ["alert-routers", "alert-senders"],
  },
];
