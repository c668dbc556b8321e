import { HeadMemory } from "../../../reference/http1/index.ts";
import { clientLife } from "./http1-client.ts";
import { Draw } from "./http1-draw.ts";
import { edgeLife } from "./http1-edges.ts";
import { octetLife, tables } from "./http1-octets.ts";
import { serverLife } from "./http1-server.ts";
import { upgradeLife } from "./http1-upgrade.ts";

/** One life of HTTP/1.1: one or two connections of a server or a client, single octets in a message, or an upgrade to HTTP/2. */
export function live(seed: number): string {
  const d = new Draw(seed);
  if (seed === 0) return tables();
  switch (d.below(10)) {
    case 0:
      return octetLife(d);
    case 1:
      return `${upgradeLife(d)}\n${upgradeLife(d)}`;
    case 2: {
      // Connections that share what they remember of earlier heads.
      const memory = new HeadMemory(d.of([1, 2, 4, 64]));
      return Array.from({ length: d.between(2, 3) }, () => (d.once(4) ? clientLife(d, memory) : serverLife(d, memory))).join("\n");
    }
    case 3:
      return `${edgeLife(d)}\n${edgeLife(d)}\n${edgeLife(d)}`;
    case 4:
    case 5:
      return `${clientLife(d)}\n${clientLife(d)}`;
    default:
      return `${serverLife(d)}\n${serverLife(d)}`;
  }
}
