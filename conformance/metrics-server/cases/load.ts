import type { Case } from "../vocabulary.ts";

/** All cases for metrics servers. */
export async function cases(): Promise<readonly Case[]> {
  const files = [
    import("./1-federation.ts"),
    import("./2-management.ts"),
    import("./3-reload.ts"),
    import("./4-status.ts"),
    import("./5-targets.ts"),
  ];
  return (await Promise.all(files)).flatMap((one) => one.cases);
}
