import type { BenchSuite } from "../lib/suite.ts";

export const suite: BenchSuite = {
  parts: ["requests", "transfers", "handshakes"],
  examples: [["http3 https://127.0.0.1:8443/ --against https://127.0.0.1:9443/", "compare your server with another, over QUIC"]],
  measure: async (part, size, say) => {
    const { embeddedSubjects, handshakeGroups, requestGroups, transferGroups } = await import("./servers.ts");
    const wanted = (name: string): boolean => part === undefined || part === name;
    const { subjects, stop } = await embeddedSubjects(say);
    try {
      return [
        ...(wanted("requests") ? await requestGroups(subjects, size, say) : []),
        ...(wanted("transfers") ? await transferGroups(subjects, size, say) : []),
        ...(wanted("handshakes") ? await handshakeGroups(subjects, size, say) : []),
      ];
    } finally {
      await stop();
    }
  },
  foreign: async (subjects, size, say) => (await import("./servers.ts")).requestGroups(subjects, size, say),
};
