import { InvalidArgumentError, type Command } from "commander";
import type { QueryOptions } from "./query-run.ts";

const HELP = `
Examples:
  touchstone query instant http://127.0.0.1:9090 'sum by (job) (rate(http_requests_total[5m]))'
  touchstone query range http://127.0.0.1:9090 'up' --last 6h --step 1m
  touchstone query instant http://127.0.0.1:9090 'up' --json | jq .data.result

Exit status: 0 answered, 1 the server refused the query, 2 the command was wrong, 3 the server could not be reached.`;

const count = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number.");
};

/** `touchstone query`: asks a metrics server, and prints a table or a line of bars for each series. */
export function queryCommand(query: Command): void {
  query.addHelpText("after", HELP);
  const common = (command: Command): Command =>
    command
      .argument("<url>", "where the server is: http://127.0.0.1:9090")
      .argument("<expression>", "what to evaluate")
      .option("--limit <n>", "series at most", count)
      .option("--json", "print the server's answer as it came");
  common(query.command("instant"))
    .description("evaluate an expression at one time")
    .option("--time <time>", "RFC 3339 or seconds since 1970; the server's now where it is left out")
    .action(async (url: string, text: string, options: QueryOptions) =>
      (await import("./query-run.ts")).runQuery("instant", url, text, options),
    );
  common(query.command("range"))
    .description("evaluate an expression over a range of time")
    .option("--start <time>", "RFC 3339 or seconds since 1970")
    .option("--end <time>", "the same; now where it is left out")
    .option("--last <duration>", "in place of --start: so long before the end", "1h")
    .option("--step <duration>", "from one point to the next; a sixtieth of the range where it is left out")
    .action(async (url: string, text: string, options: QueryOptions) =>
      (await import("./query-run.ts")).runQuery("range", url, text, options),
    );
}
