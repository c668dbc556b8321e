import { Misuse } from "../../core/index.ts";
import type { Body, Fields, Request, Response } from "../../http/index.ts";
import type { Handler } from "../handler.ts";

/**
 * The prefix of all paths, without a slash at its end: the one given, or the path of the external URL (Prometheus docs,
 * command-line/prometheus.md, `--web.route-prefix`). Throws `Misuse` for one that is not a path.
 */
export function prefixOf({
  routePrefix,
  externalUrl,
}: {
  readonly routePrefix?: string | undefined;
  readonly externalUrl?: string | undefined;
}): string {
  const given = routePrefix ?? (externalUrl === undefined ? "" : (URL.parse(externalUrl)?.pathname ?? ""));
  const prefix = `/${given}`.replaceAll(/^\/+|\/+$/g, "");
  if (/[?#\s]/.test(prefix)) throw new Misuse(`the route prefix ${JSON.stringify(given)} is not a path: write one such as /metrics-server`);
  return prefix === "" ? "" : `/${prefix}`;
}

/** A request whose path begins behind the prefix. */
class Inner implements Request {
  readonly #outer: Request;
  readonly path: string;

  constructor(outer: Request, path: string) {
    this.#outer = outer;
    this.path = path;
  }
  get version(): Request["version"] {
    return this.#outer.version;
  }
  get method(): string {
    return this.#outer.method;
  }
  get scheme(): string {
    return this.#outer.scheme;
  }
  get authority(): string {
    return this.#outer.authority;
  }
  get fields(): Fields {
    return this.#outer.fields;
  }
  get body(): Body {
    return this.#outer.body;
  }
}

/** Serves the paths of a handler below a prefix. The root leads there, and all else is not found. */
export function below(prefix: string, handler: Handler): Handler {
  if (prefix === "") return handler;
  return (request, exchange): Response | Promise<Response> => {
    const { path } = request;
    if (path.startsWith(`${prefix}/`)) return handler(new Inner(request, path.slice(prefix.length)), exchange);
    // Relative pages need the slash.
    if (path === "/" || path === prefix) return { status: 302, fields: [["location", `${prefix}/`]] };
    return { status: 404, fields: [["content-type", "text/plain; charset=utf-8"]], body: `Not found: all paths begin with ${prefix}/.\n` };
  };
}
