import { proxy } from "../../../reference/serve/proxy/proxy.ts";
import { originActs } from "./serve-client.ts";
import { clients } from "./serve-server.ts";
import type { World } from "./serve-world.ts";

/** A proxy between raw clients and a raw origin. */
export async function proxyLife(world: World): Promise<void> {
  const { d } = world;
  const options = {
    alpn: ["http/1.1"] as const,
    ...(d.once(4) && { pseudonym: "p" }),
    ...(d.once(4) && { timeoutMs: d.of([100, 400]) }),
    ...(d.once(3) && { expectMs: d.of([10, 100]) }),
    ...(d.once(6) && { maxTunnels: d.of([0, 1]) }),
    ...(d.once(3) && { tunnelIdleMs: d.of([100, 500]) }),
    ...(d.once(6) && { connectMs: 200 }),
    ...(d.once(8) && { keepMs: 100 }),
  };
  world.say(JSON.stringify(options));
  world.reached = d.often<World["reached"]>([
    [24, "connected"],
    [1, "refused"],
    [1, "silent"],
  ]);
  const made = proxy("http://origin:8080/", options);
  await clients(world, made.handler, async () => {
    for (let more = d.below(4); more > 0; more--) await originActs(world);
  });
  for (let more = d.below(6); more > 0; more--) {
    await originActs(world);
    if (d.once(3)) for (const wire of world.wires) wire.send("octets ");
  }
  if (d.once(2)) {
    void world.tell("proxy closed", made.close());
    await world.settle();
    await world.advance(d.of([10, 6_000]));
  }
}
