import { Draw } from "./http1-draw.ts";
import { clientLife } from "./serve-client.ts";
import { proxyLife } from "./serve-proxy.ts";
import { serverLife } from "./serve-server.ts";
import { World } from "./serve-world.ts";

/** One life of our server, client or proxy in HTTP/1.1, with sockets in memory and virtual time. */
export async function live(seed: number): Promise<string> {
  const d = new Draw(seed);
  const world = new World(d);
  try {
    const kind = d.below(3);
    if (kind === 0) await serverLife(world);
    else if (kind === 1) await clientLife(world);
    else await proxyLife(world);
    return await world.end();
  } finally {
    world.leave();
  }
}
