import type { Command } from "commander";
import { wholeNumber } from "../../../options.ts";
import type { QueryOptions } from "./query-run.ts";

const HELP = `
Examples:
  touchstone query instant http://127.0.0.1:9090 'sum by (job) (rate(http_requests_total[5m]))'
  touchstone query range http://127.0.0.1:9090 'up' --last 6h --step 1m
  touchstone query instant http://127.0.0.1:9090 'up' --json | jq .data.result

Exit status: 0 success, 1 the server refused the query, 2 wrong command, 3 no usable response from the server.`;

/** Declares `touchstone query`, which queries a metrics server and prints a table of values or sparklines. */
export function queryCommand(query: Command): void {
  query.addHelpText("after", HELP);
  const common = (command: Command): Command =>
    command
      .argument("<url>", "URL of the server, such as http://127.0.0.1:9090")
      .argument("<expression>", "PromQL expression")
      .option("--limit <n>", "maximum number of series", wholeNumber(0, 999_999_999))
      .option("--json", "print the server's response unchanged");
  common(query.command("instant"))
    .description("evaluate an expression at one time")
    .option("--time <time>", "RFC 3339 or seconds since 1970 (default: the server's current time)")
    .action(async (url: string, expression: string, options: QueryOptions) =>
      (await import("./query-run.ts")).runQuery({ kind: "instant", url, expression, options }),
    );
  common(query.command("range"))
    .description("evaluate an expression over a time range")
    .option("--start <time>", "RFC 3339 or seconds since 1970")
    .option("--end <time>", "RFC 3339 or seconds since 1970 (default: now)")
    .option("--last <duration>", "length of the range, instead of --start", "1h")
    .option("--step <duration>", "time between points (default: a sixtieth of the range)")
    .action(async (url: string, expression: string, options: QueryOptions) =>
      (await import("./query-run.ts")).runQuery({ kind: "range", url, expression, options }),
    );
}
