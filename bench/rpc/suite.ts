import type { BenchSuite } from "../lib/suite.ts";

export const suite: BenchSuite = {
  parts: ["servers", "clients"],
  measure: async (part, size, say) => {
    const { serverGroups, clientGroups } = await import("./groups.ts");
    return [
      ...(part === undefined || part === "servers" ? await serverGroups(size, say) : []),
      ...(part === undefined || part === "clients" ? await clientGroups(size, say) : []),
    ];
  },
};
