import type { Party, Started } from "../../harness/impostors/catch.ts";
import { writeHints } from "../../harness/impostors/hints.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { hubCases } from "../cases/load.ts";
import { ChannelDriver } from "../driver/driver.ts";
import { HubParty } from "../driver/hub.ts";
import { startHub } from "../embedded/hub.ts";
import type { ChannelCase } from "../vocabulary.ts";
import { FORGETFUL_FLAWS, HASTY_FLAWS, HUB_FLAWS } from "./hub.ts";
import { relay } from "./relay.ts";

export const HINTS = new URL("hints.json", import.meta.url);
export const MUTE = ["silent", "slams"] as const;

const FLAWS = { ...HUB_FLAWS, ...HASTY_FLAWS, ...FORGETFUL_FLAWS };

/** A hub of the reference behind a relay with this flaw. */
async function hub(name: string): Promise<Started<ChannelCase>> {
  const own = await startHub({
    kind: Object.hasOwn(HASTY_FLAWS, name) ? "hasty" : Object.hasOwn(FORGETFUL_FLAWS, name) ? "forgetful" : "usual",
  });
  const url = new URL(own.subject.url);
  const { port, stop } = await relay(Number(url.port), flawOf(FLAWS, name), "front");
  url.port = String(port);
  const driver = new ChannelDriver(new HubParty({ url: url.href, timeout: 400 }));
  return { driver, stop: () => stop().then(() => own.stop()) };
}

/** The cases for hubs, with the impostors that must fail them. */
export const hubs = (): Party<ChannelCase> => ({
  cases: hubCases(),
  names: Object.keys(FLAWS),
  start: hub,
  concurrency: 8,
  abreast: 2,
});

if (import.meta.main) await writeHints(HINTS, [hubs()]);
