import { Chance } from "./chance.ts";
import { headScene, hedgingScene, outgoingScene, retryScene } from "./rpc-client-attempts.ts";
import { balanceScene, groupScene, resolutionScene } from "./rpc-client-balance.ts";
import { channelScene } from "./rpc-client-channel.ts";
import { configScene, publishedScene, targetScene } from "./rpc-client-config.ts";

/** One life of a client of calls, on virtual time: configs, attempts, policies, and a whole channel, which takes longest, in one life of twelve. */
export function live(seed: number): string | Promise<string> {
  const chance = new Chance(seed);
  if (chance.once(12)) return channelScene(seed);
  const scene =
    SCENES[
      chance.weighed({
        config: 4,
        published: 2,
        target: 2,
        retry: 2,
        hedging: 2,
        head: 2,
        outgoing: 2,
        balance: 10,
        group: 1,
        resolution: 1,
      })
    ];
  return scene(chance);
}

const SCENES = {
  config: configScene,
  published: publishedScene,
  target: targetScene,
  retry: retryScene,
  hedging: hedgingScene,
  head: headScene,
  outgoing: outgoingScene,
  balance: balanceScene,
  group: groupScene,
  resolution: resolutionScene,
} as const;
