import type { Case } from "../vocabulary.ts";

/** All cases for rules. */
export async function cases(): Promise<readonly Case[]> {
  const files = [
    import("./1-recording.ts"),
    import("./1-groups.ts"),
    import("./2-alerts.ts"),
    import("./2-series.ts"),
    import("./3-templates.ts"),
    import("./4-api.ts"),
    import("./4-filters.ts"),
  ];
  return (await Promise.all(files)).flatMap((one) => one.cases);
}
