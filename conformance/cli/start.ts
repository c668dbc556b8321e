import { WrongUse } from "../harness/driver.ts";
import { type OwnProcess, startOwn } from "../harness/subject/own-process.ts";
import { freePort } from "../peers/index.ts";
import type { Flags } from "./check.ts";
import { placeIn } from "./reach-flags.ts";

/** How long a server that we start may take until it answers, in milliseconds. */
const STARTUP_MS = 30_000;

/** What the command line says, with a free port in place of {port}. */
export async function withPort(url: string | undefined, flags: Flags): Promise<{ url: string | undefined; flags: Flags }> {
  const { start } = flags;
  if (start === undefined || ![start, url].some((one) => one?.includes("{port}"))) return { url, flags };
  const port = String(await freePort());
  return { url: url?.replaceAll("{port}", port), flags: { ...flags, start: start.replaceAll("{port}", port) } };
}

/** Starts the server of --start; undefined without the flag. */
export async function startedFor(url: string | undefined, flags: Flags): Promise<OwnProcess | undefined> {
  const { start } = flags;
  if (start === undefined) return undefined;
  if (url === undefined || !URL.canParse(url))
    throw new WrongUse("--start starts a server: give its address too, as in --start './server {port}' http://127.0.0.1:{port}/.");
  const { hostname, port, protocol } = new URL(url);
  const there = { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || (/^(?:https|wss):$/.test(protocol) ? 443 : 80)) };
  return startOwn(start, placeIn(flags) ?? there);
}

/** How long to wait for the subject, and what to print meanwhile. */
export function patienceFor({ wait }: Flags, own: OwnProcess | undefined): { wait?: NonNullable<Parameters<typeof said>[0]> } {
  const ms = wait ?? (own === undefined ? undefined : STARTUP_MS);
  return ms === undefined ? {} : { wait: said({ ms, ...(own === undefined ? {} : { over: own.over }) }) };
}

type Plain = { readonly ms: number; readonly over?: () => string | undefined };
const said = (patience: Plain): Plain & { readonly onWait: (why: string) => void } => ({
  ...patience,
  onWait: (why) => console.error(`touchstone: waiting up to ${patience.ms / 1_000} s for the subject. ${why}`),
});
