import type { FuzzSuite, FuzzTarget } from "../lib/suite.ts";

const guided = (folders: readonly string[], load: FuzzTarget["load"]): FuzzTarget => ({
  guidedBy: folders.map((folder) => `reference/quic/${folder}`),
  load,
});

export const suite: FuzzSuite = {
  targets: {
    "quic/packet": guided(["packet/", "version.ts"], () => import("./packet.fuzz.ts")),
    "quic/frame": guided(["frame/"], () => import("./frame.fuzz.ts")),
    "quic/parameters": guided(["params.ts"], () => import("./parameters.fuzz.ts")),
    "quic/spans": guided(["spans.ts"], () => import("./spans.fuzz.ts")),
    "quic/receive-stream": guided(["stream/", "spans.ts"], () => import("./receive-stream.fuzz.ts")),
    "quic/send-stream": guided(["stream/", "spans.ts"], () => import("./send-stream.fuzz.ts")),
    "quic/connection": guided([""], () => import("./connection.fuzz.ts")),
    "quic/peer": guided([""], () => import("./peer.fuzz.ts")),
  },
};
