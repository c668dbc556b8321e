import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { environment } from "../../conformance/peers/index.ts";

/** A load for h2load (nghttp2): connections, concurrent streams on each, and the total number of requests. */
export type Load = {
  readonly connections: number;
  readonly streams: number;
  readonly requests: number;
  readonly upload?: string;
  readonly fields?: readonly string[];
};
export type LoadOutcome = {
  readonly succeeded: number;
  readonly failed: number;
  readonly seconds: number;
  readonly octetsReceived: number;
};

const H2LOAD_MISSING = 'h2load is not installed: run "apt-get install nghttp2-client" (or install the nghttp2 package of your system).';
const TIME_LIMIT_MS = 120_000;

/** Runs one bounded load against a loopback address, in one thread. */
export async function h2load(url: string, load: Load): Promise<LoadOutcome> {
  const args = [
    "-t1",
    `-c${load.connections}`,
    `-m${load.streams}`,
    `-n${load.requests}`,
    ...(load.upload === undefined ? [] : ["-d", load.upload]),
    ...(load.fields ?? []).flatMap((field) => ["-H", field]),
    url,
  ];
  const { stdout } = await promisify(execFile)("h2load", args, { env: environment(), timeout: TIME_LIMIT_MS }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw cause.code === "ENOENT" ? new Error(H2LOAD_MISSING) : cause;
    },
  );
  return parseH2load(stdout);
}

/** Reads the figures at the end of h2load's output. */
function parseH2load(text: string): LoadOutcome {
  const finished = /finished in ([\d.]+)(us|ms|s)/.exec(text);
  const requests = /(\d+) succeeded, (\d+) failed/.exec(text);
  const traffic = /traffic: .*\((\d+)\) total/.exec(text);
  if (finished === null || requests === null) throw new Error(`unexpected output of h2load: ${text.trim().split("\n").at(-1) ?? ""}`);
  const unit = finished[2] === "us" ? 1e-6 : finished[2] === "ms" ? 1e-3 : 1;
  return {
    succeeded: Number(requests[1]),
    failed: Number(requests[2]),
    seconds: Number(finished[1]) * unit,
    octetsReceived: Number(traffic?.[1] ?? 0),
  };
}
