import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { SenderDriver } from "../driver/driver.ts";
import { closed } from "../driver/ends.ts";
import { sender } from "../embedded/sender.ts";
import type { Case } from "../vocabulary.ts";
import { eachList, type RuleFile, type SenderConfig, targetsOf } from "./sender-config.ts";
import { SENDER_FLAWS, type SenderFlaw } from "./sender-flaws.ts";
import { type Shared, startSenderRelay } from "./sender-relay.ts";

/** Our sender of alerts with a flaw. */

/** Long enough for every case to go wrong. */
const WAIT_MS = 6_000;
/** Nothing ever comes of it. */
const SILENT = { waitMs: 1_000, startupMs: 1_000 } as const;

const subjectOf =
  (flaw: SenderFlaw): InProcessClient =>
  async (url, signal, request) => {
    const { program } = request;
    if (program === undefined) throw new Error("a sender needs a configuration");
    if (flaw.isSilent === true) return void (signal.aborted || (await once(signal, "abort")));
    const relays: Server[] = [];
    const read = JSON.parse(readFileSync(program.config, "utf8")) as SenderConfig;
    let config = flaw.config?.(read) ?? read;
    if (flaw.relay !== undefined) {
      const shared = new Map<string, string>();
      const all = new Map<string, string>();
      const state: Shared = { hasFailed: false, seen: shared };
      for (const target of targetsOf(config)) {
        const relay = await startSenderRelay(flaw.relay, target, state);
        relays.push(relay.server);
        all.set(target, relay.address);
      }
      config = eachList(config, (list) => ({
        ...list,
        ...(list.static_configs !== undefined && {
          static_configs: list.static_configs.map(({ targets }) => ({ targets: targets.map((one) => all.get(one) ?? one) })),
        }),
      }));
    }
    writeFileSync(program.config, JSON.stringify(config));
    const [rules] = config.rule_files;
    if (flaw.rules !== undefined) writeFileSync(rules, JSON.stringify(flaw.rules(JSON.parse(readFileSync(rules, "utf8")) as RuleFile)));
    await sender(url, signal, request);
    await Promise.all(relays.map((one) => closed(one)));
  };

/** Starts the impostor with this name. */
export async function startSender(name: string): Promise<Started<Case>> {
  const flaw = flawOf(SENDER_FLAWS, name);
  const driver = new SenderDriver({ subject: subjectOf(flaw), waitMs: WAIT_MS, ...(flaw.isSilent && SILENT) });
  return { driver, stop: () => driver.close() };
}
