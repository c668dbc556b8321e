import { join } from "node:path";

const SHARED = {
  root: join(import.meta.dirname, "..", ".."),
  units: ["reference", "vectors"],
  survivors: ["conformance/rpc/survivors.json"],
};
const SUITE = "conformance/rpc/suite.ts";
/** The cases of a dialect for browsers and plain HTTP. */
const web = (role: "server" | "client", dialect: string) => ({ suite: SUITE, roles: [role], settings: { dialect } });

/** The parts of RPC that are mutated (`targets.ts`). */
export const RPC_TARGETS = {
  // The wire level, and calls at the server.
  rpc: {
    ...SHARED,
    sources: [
      "reference/rpc/call-status.ts",
      "reference/rpc/compression.ts",
      "reference/rpc/dialect.ts",
      "reference/rpc/envelope.ts",
      "reference/rpc/faults.ts",
      "reference/rpc/inbound.ts",
      "reference/rpc/messages.ts",
      "reference/rpc/metadata.ts",
      "reference/rpc/percent.ts",
      "reference/rpc/push-back.ts",
      "reference/rpc/server-call.ts",
      "reference/rpc/status.ts",
      "reference/rpc/timeout.ts",
      "reference/serve/rpc/handled-call.ts",
      "reference/serve/rpc/received-messages.ts",
      "reference/serve/rpc/server.ts",
    ],
    except: [
      // Words for people.
      "reference/rpc/status.ts:statusName",
    ],
    judges: [{ suite: SUITE }, web("server", "connect"), web("server", "grpc-web")],
    lives: ["ci/mutate/lives/rpc.ts"],
  },
  // Calls at the client: their attempts, the configs that decide on them, and the connections that they take.
  "rpc/client": {
    ...SHARED,
    sources: [
      "reference/rpc/backoff.ts",
      "reference/rpc/balance",
      "reference/rpc/client-call.ts",
      "reference/rpc/config-json.ts",
      "reference/rpc/hedging.ts",
      "reference/rpc/published-config.ts",
      "reference/rpc/retry.ts",
      "reference/rpc/service-config.ts",
      "reference/serve/rpc/attempt.ts",
      "reference/serve/rpc/channel-config.ts",
      "reference/serve/rpc/client.ts",
      "reference/serve/rpc/config-look-up.ts",
      "reference/serve/rpc/dialling.ts",
      "reference/serve/rpc/health-watch.ts",
      "reference/serve/rpc/hedged.ts",
      "reference/serve/rpc/lines.ts",
      "reference/serve/rpc/load-watch.ts",
      "reference/serve/rpc/outgoing.ts",
      "reference/serve/rpc/server-watches.ts",
      "reference/serve/rpc/target.ts",
    ],
    except: [
      // For programs that watch their channel: no server sees it.
      "reference/serve/rpc/lines.ts:Lines.{state,changed}",
      "reference/serve/rpc/client.ts:openChannel.{state,connect,stateChanged}",
    ],
    judges: [
      { suite: SUITE, roles: ["client" as const] },
      web("client", "connect"),
      web("client", "grpc-web"),
      {
        tests: [
          "vectors/rpc/outliers.test.ts",
          "vectors/rpc/config-choices.test.ts",
          "vectors/rpc/service-configs.test.ts",
          "vectors/rpc/attempts.test.ts",
          "vectors/rpc/balancing.test.ts",
          "vectors/rpc/scaling.test.ts",
        ],
      },
    ],
    lives: ["ci/mutate/lives/rpc-client.ts"],
  },
};
