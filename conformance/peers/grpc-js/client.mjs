// The client @grpc/grpc-js as an adapter of the suite rpc (conformance/rpc/README.md): descriptions on standard input, reports on standard output.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// Its resolver that can ask a given server of names.
process.env.GRPC_NODE_USE_ALTERNATIVE_RESOLVER = "true";
const require = createRequire(`${process.env.GRPC_JS ?? process.cwd()}/`);
const grpc = require("@grpc/grpc-js");

// Published configs are none of them: it looks for the TXT records of the name itself, without the label before it.
const FEATURES =
  "streams cancel deadline gzip deflate receive-limit service-config retries hedging addresses outlier-detection weighted-round-robin names unix wait-for-ready tls client-certificate".split(
    " ",
  );
const ENCODINGS = { identity: 0, deflate: 1, gzip: 2 };
const same = (octets) => octets;
/** Policies are read as messages in JavaScript: names in snake case, and durations of outlier detection as objects. */
const IN_SNAKE_CASE =
  /"(interval|baseEjectionTime|maxEjectionTime|maxEjectionPercent|childPolicy|successRateEjection|failurePercentageEjection|stdevFactor|enforcementPercentage|minimumHosts|requestVolume|enableOobLoadReport|blackoutPeriod|weightExpirationPeriod|weightUpdatePeriod|errorUtilizationPenalty)":/g;
const DURATIONS = ["interval", "baseEjectionTime", "maxEjectionTime"];
const duration = (text) => {
  const nanos = Math.round(Number.parseFloat(text) * 1e9);
  return { seconds: Math.trunc(nanos / 1e9), nanos: nanos % 1e9 };
};
const configText = (config) =>
  JSON.stringify(config, (name, value) => (DURATIONS.includes(name) && typeof value === "string" ? duration(value) : value)).replaceAll(
    IN_SNAKE_CASE,
    (_, name) => `"${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
  );
const isBinary = (name) => name.endsWith("-bin");

function pairs(metadata) {
  return Object.keys(metadata?.getMap() ?? {}).flatMap((name) =>
    metadata.get(name).map((value) => [name, isBinary(name) ? value.toString("hex") : String(value)]),
  );
}

function report(client, spec) {
  const { kind, path, messages, metadata = [], timeoutMs, waitForReady, cancel } = spec;
  const fields = new grpc.Metadata({ waitForReady: waitForReady === true });
  for (const [name, value] of metadata) fields.add(name, isBinary(name) ? Buffer.from(value, "hex") : value);
  const options = timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
  const requests = messages.map((one) => Buffer.from(one, "hex"));
  const got = { status: 2, message: "no status", headers: [], trailers: [], messages: [] };
  return new Promise((resolve) => {
    let call;
    const take = (message) => {
      got.messages.push(message.toString("hex"));
      if (cancel?.afterMessages === got.messages.length) call.cancel();
      else if (spec.turns === true) next();
    };
    const single = (error, message) => {
      if (!error && message !== undefined) got.messages.push(message.toString("hex"));
    };
    let at = 0;
    const next = () => {
      if (at < requests.length) call.write(requests[at++]);
      if (at === requests.length && spec.open !== true && !call.writableEnded) call.end();
    };
    if (kind === "unary") call = client.makeUnaryRequest(path, same, same, requests[0], fields, options, single);
    else if (kind === "client-stream") call = client.makeClientStreamRequest(path, same, same, fields, options, single);
    else if (kind === "server-stream") call = client.makeServerStreamRequest(path, same, same, requests[0], fields, options);
    else call = client.makeBidiStreamRequest(path, same, same, fields, options);
    call.on("error", () => {});
    if (kind === "server-stream" || kind === "bidi") call.on("data", take);
    call.on("metadata", (all) => (got.headers = pairs(all)));
    call.on("status", ({ code, details, metadata: all }) => {
      clearTimeout(timer);
      Object.assign(got, { status: code, message: details, trailers: pairs(all) });
      // The message of a unary call is given after its status.
      setImmediate(() => resolve(got));
    });
    const timer = cancel?.afterMs === undefined ? undefined : setTimeout(() => call.cancel(), cancel.afterMs);
    if (kind === "client-stream" || kind === "bidi") {
      if (spec.turns === true) next();
      else {
        while (at < requests.length) call.write(requests[at++]);
        if (spec.open !== true) call.end();
      }
    }
  });
}

async function answer({ target, targets, tls, channel = {}, rounds }) {
  const pem = (text) => (text === undefined ? null : Buffer.from(text));
  const credentials =
    tls === undefined ? grpc.credentials.createInsecure() : grpc.credentials.createSsl(pem(tls.ca), pem(tls.key), pem(tls.cert));
  // Compression is chosen for a channel: the calls of a description that name an encoding name the same.
  const encoding = channel.encoding ?? rounds.flat().find((spec) => spec.encoding !== undefined)?.encoding;
  const client = new grpc.Client(targets === undefined ? target : `ipv4:${targets.join(",")}`, credentials, {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.service_config_disable_resolution": channel.publishedConfig === true ? 0 : 1,
    ...(channel.lookUpApartMs === undefined ? {} : { "grpc.dns_min_time_between_resolutions_ms": channel.lookUpApartMs }),
    // Node refuses an address as the name of a server.
    ...(tls === undefined ? {} : { "grpc.ssl_target_name_override": "localhost" }),
    ...(channel.serviceConfig === undefined ? {} : { "grpc.service_config": configText(channel.serviceConfig) }),
    ...(channel.maxMessageOctets === undefined ? {} : { "grpc.max_receive_message_length": channel.maxMessageOctets }),
    ...(encoding === undefined ? {} : { "grpc.default_compression_algorithm": ENCODINGS[encoding] }),
  });
  const calls = [];
  for (const round of rounds) calls.push(...(await Promise.all(round.map((spec) => report(client, spec)))));
  client.close();
  return { calls };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, features, ...description } = JSON.parse(line);
  let found;
  try {
    found = features === true ? { features: FEATURES, language: "node" } : await answer(description);
  } catch (error) {
    found = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify({ id, ...found })}\n`);
}
