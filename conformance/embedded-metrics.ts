import type { CheckOptions } from "./check.ts";
import type { Result } from "./harness/result.ts";
import { startReference } from "./metrics/index.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name" | "only">;
type Perform = (title: string, part: Part) => Promise<Result>;

/** Our metrics server with the data set in its storage, judged like anybody's. */
export async function ofMetricsServer(only: readonly string[], perform: Perform): Promise<Result> {
  await using server = await startReference();
  return await perform("metrics server", { suite: "metrics", subject: server.url, name: "touchstone's own metrics server", only });
}
