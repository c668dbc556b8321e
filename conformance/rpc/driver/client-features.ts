/** Optional features of a client, which its adapter lists: what it does with the description then. */
export const CLIENT_FEATURES: Readonly<Record<string, string>> = {
  streams: "it makes calls of the kinds client-stream, server-stream and bidi, with `open` and `turns`",
  cancel: "it cancels a call as `cancel` says",
  deadline: "it heeds `timeoutMs`",
  gzip: "it compresses and reads messages in gzip",
  deflate: "it compresses and reads messages in deflate",
  "identity-per-call": "it heeds `encoding` of a call also if that is identity, and the channel has another",
  "receive-limit": "it heeds `channel.maxMessageOctets`",
  "service-config": "it heeds `channel.serviceConfig`: timeout and waitForReady of its methods",
  retries: "it heeds the retryPolicy and retryThrottling of `channel.serviceConfig`",
  hedging: "it heeds the hedgingPolicy of `channel.serviceConfig`",
  "health-check": "it heeds the loadBalancingConfig and healthCheckConfig of `channel.serviceConfig`",
  "connection-scaling": "it heeds the connectionScaling of `channel.serviceConfig`",
  "wait-for-ready": "it heeds `waitForReady`",
  tls: "it speaks TLS and trusts `tls.ca` only",
  "client-certificate": "it presents `tls.cert`",
};
