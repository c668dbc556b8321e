import type { Case } from "../vocabulary.ts";

/** All cases for scrapers. */
export async function cases(): Promise<readonly Case[]> {
  const files = [
    import("./1-requests.ts"),
    import("./2-formats.ts"),
    import("./3-limits.ts"),
    import("./4-labels.ts"),
    import("./5-times.ts"),
    import("./6-http.ts"),
    import("./7-faults.ts"),
    import("./8-reports.ts"),
  ];
  return (await Promise.all(files)).flatMap((one) => one.cases);
}
