import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Started } from "../../harness/impostors/catch.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { SenderDriver } from "../driver/driver.ts";
import { closed } from "../../harness/subject/closed.ts";
import { sender } from "../embedded/sender.ts";
import type { Case } from "../vocabulary.ts";
import { eachList, type RuleFile, type SenderConfig, targetsOf } from "./sender-config.ts";
import { SENDER_FLAWS, type SenderFlaw } from "./sender-flaws.ts";
import { type SenderRelaying, type Shared, startSenderRelay } from "./sender-relay.ts";
import { SILENT, WAITS } from "./waits.ts";

/** Our sender of alerts with a flaw. */

const subjectOf =
  (flaw: SenderFlaw): InProcessClient =>
  async (url, signal, request) => {
    const { program } = request;
    if (program === undefined) throw new Error("a sender needs a configuration");
    if (flaw.isSilent === true) return void (signal.aborted || (await once(signal, "abort")));
    const relays: Server[] = [];
    const read = JSON.parse(readFileSync(program.config, "utf8")) as SenderConfig;
    const changed = flaw.config?.(read) ?? read;
    const config = flaw.relay === undefined ? changed : await throughRelays(changed, flaw.relay, relays);
    writeFileSync(program.config, JSON.stringify(config));
    const [rules] = config.rule_files;
    if (flaw.rules !== undefined) writeFileSync(rules, JSON.stringify(flaw.rules(JSON.parse(readFileSync(rules, "utf8")) as RuleFile)));
    await sender(url, signal, request);
    await Promise.all(relays.map((one) => closed(one)));
  };

/** The configuration with a relay before each router. */
async function throughRelays(config: SenderConfig, how: SenderRelaying, relays: Server[]): Promise<SenderConfig> {
  const shared: Shared = { hasFailed: false, seen: new Map() };
  const addresses = new Map<string, string>();
  for (const target of targetsOf(config)) {
    const { address, server } = await startSenderRelay(how, target, shared);
    relays.push(server);
    addresses.set(target, address);
  }
  const changed = (targets: readonly string[]): string[] => targets.map((one) => addresses.get(one) ?? one);
  return eachList(config, ({ static_configs: groups, ...list }) => ({
    ...list,
    ...(groups !== undefined && { static_configs: groups.map(({ targets }) => ({ targets: changed(targets) })) }),
  }));
}

/** Starts the impostor with this name. */
export async function startSender(name: string): Promise<Started<Case>> {
  const flaw = flawOf(SENDER_FLAWS, name);
  const driver = new SenderDriver({ subject: subjectOf(flaw), ...(flaw.isSilent ? SILENT : WAITS) });
  return { driver, stop: () => driver.close() };
}
