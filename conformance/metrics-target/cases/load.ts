import type { Case } from "../vocabulary.ts";

/** All cases for targets. */
export async function cases(): Promise<readonly Case[]> {
  const files = [
    import("./1-http.ts"),
    import("./2-text.ts"),
    import("./3-openmetrics.ts"),
    import("./4-types.ts"),
    import("./4-histograms.ts"),
    import("./5-stability.ts"),
    import("./6-naming.ts"),
  ];
  return (await Promise.all(files)).flatMap((one) => one.cases);
}
