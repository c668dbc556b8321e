import { Misuse, type Field } from "../../core/index.ts";
import { HeadMemory, type Options } from "../../http1/index.ts";
import type { DriveOptions } from "../../io/index.ts";
import { http1Faults } from "../faults/index.ts";
import { dateLine } from "../message/outgoing.ts";
import { wantedFaults, type Version } from "../version.ts";
import { Http1ClientConnection } from "./client.ts";
import type { HalfClose, Http1Options, Http1ServeOptions } from "./options.ts";
import { Http1ServerConnection } from "./server.ts";

type ServeOptions = { readonly http1?: Http1ServeOptions };
type ConnectOptions = { readonly http1?: Http1Options };

/** Field names, and field lines, that the connections of one server remember together; a power of two. */
const HEADS_REMEMBERED = 1_024;
/** A user agent replaces a line fold by a space (rfc9112#5.2). */
const USER_AGENT = { obsFold: true };

/** HTTP/1.1 (rfc9112), and HTTP/1.0 for a server. */
export const HTTP1: Version<"http/1.1", ServeOptions, ConnectOptions> = {
  name: "http1",
  alpn: "http/1.1",
  http: "HTTP/1.1",
  multiplexes: false,
  server: (setup, { http1 = {} }) => {
    const { upgrade, switched } = setup;
    const wrong = http1Faults(setup.context.handler, wantedFaults(setup, http1));
    const context = wrong === undefined ? setup.context : { ...setup.context, handler: wrong.handler };
    const filter = wrong?.filter ?? setup.filter;
    const machine = {
      side: "server",
      ...chosen(setup, http1),
      ...(context.sendsDate && { refusalFields: dated }),
      memory: new HeadMemory(HEADS_REMEMBERED),
    } as const;
    const halfClose = halfCloseOf(http1);
    const server = { clear: machine, secure: { ...machine, scheme: "https" }, halfClose, filter, upgrade, switched };
    const drive = driveOptions(setup);
    return { accept: (socket, id) => new Http1ServerConnection({ socket, id, context, server, drive }) };
  },
  client: (setup, { http1: { limits, lenient } = {} }) => {
    const machine = {
      ...(limits !== undefined && { limits }),
      lenient: lenient === undefined ? USER_AGENT : { ...USER_AGENT, ...lenient },
    };
    return {
      permits: () => true,
      connect: (socket, origin) => {
        const filter = setup.filterOf("http1");
        const drive = { ...driveOptions(setup), ...(filter !== undefined && { filter }) };
        const upgrade = "encrypted" in socket ? undefined : setup.upgrade(origin);
        return new Http1ClientConnection({ socket, origin, machine, drive, upgrade, unreadMs: setup.unreadMs });
      },
    };
  },
};

/** What the options of a server change of its machine. */
const chosen = (
  { idleMs }: { readonly idleMs: number | undefined },
  { limits, lenient }: Http1Options,
): Pick<Options, "limits" | "lenient"> => ({
  limits: { ...(idleMs !== undefined && { idleMs }), ...limits },
  ...(lenient !== undefined && { lenient }),
});

function halfCloseOf({ halfClose = "abort" }: Http1ServeOptions): HalfClose {
  if (halfClose !== "abort" && halfClose !== "ignore") throw new Misuse(`http1.halfClose is "${String(halfClose)}": give abort or ignore`);
  return halfClose;
}
const driveOptions = ({ stallMs }: { readonly stallMs: number | undefined }): DriveOptions => (stallMs === undefined ? {} : { stallMs });
const dated = (): Field[] => [dateLine()];
