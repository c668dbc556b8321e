import type { IncomingMessage, ServerResponse } from "node:http";
import { type ApiServer, apiServer } from "./testing.ts";

/** An API server of Kubernetes for tests: lists in pages, watches from a version, bookmarks, and versions that are too old. */

type Object_ = {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> };
};
/** An object as a test writes it; `kind` is the plural name in the API. */
export type Written = Object_ & { readonly kind: string; readonly [field: string]: unknown };
type Event = { readonly version: number; readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: Written };

const keyOf = ({ kind, metadata: { namespace = "", name } }: Written): string => `${kind} ${namespace}/${name}`;
const KINDS: Readonly<Record<string, string>> = {
  pods: "Pod",
  services: "Service",
  endpoints: "Endpoints",
  endpointslices: "EndpointSlice",
  ingresses: "Ingress",
  nodes: "Node",
  namespaces: "Namespace",
  replicasets: "ReplicaSet",
  jobs: "Job",
};

export class KubeApi {
  readonly #objects = new Map<string, Written & { readonly metadata: { readonly resourceVersion: string } }>();
  #version = 100;
  /** Versions before it are gone. */
  #oldest = 0;
  #events: Event[] = [];
  readonly #watches = new Set<{ readonly wants: (one: Written) => boolean; readonly response: ServerResponse }>();
  /** The answer to everything, if it is not 200. */
  status = 200;
  /** At most this many objects on a page. */
  page = 500;

  put(...objects: readonly Written[]): void {
    for (const object of objects) {
      const key = keyOf(object);
      const versioned = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
      this.#send({ version: this.#version, type: this.#objects.has(key) ? "MODIFIED" : "ADDED", object: versioned });
      this.#objects.set(key, versioned);
    }
  }
  remove(object: Written): void {
    const key = keyOf(object);
    const known = this.#objects.get(key)!;
    this.#objects.delete(key);
    const metadata = { ...known.metadata, resourceVersion: String(++this.#version) };
    this.#send({ version: this.#version, type: "DELETED", object: { ...known, metadata } });
  }
  /** Tells all watches the version of now, without a change. */
  bookmark(): void {
    this.#version += 1;
    const object = { metadata: { resourceVersion: String(this.#version), creationTimestamp: null } };
    for (const { response } of this.#watches) response.write(`${JSON.stringify({ type: "BOOKMARK", object })}\n`);
  }
  /** Forgets all events so far: older versions are gone. */
  compact(): void {
    this.#events = [];
    this.#oldest = this.#version;
  }
  /** Ends all watches: as time does, or by an error that they bring. */
  end(code?: number): void {
    for (const { response } of this.#watches) {
      if (code !== undefined) response.write(`${JSON.stringify({ type: "ERROR", object: statusOf(code) })}\n`);
      response.end();
    }
    this.#watches.clear();
  }
  get watches(): number {
    return this.#watches.size;
  }

  serve(): Promise<ApiServer> {
    return apiServer((request, response) => this.#answer(request, response));
  }

  #send(event: Event): void {
    this.#events.push(event);
    for (const { wants, response } of this.#watches) if (wants(event.object)) response.write(lineOf(event));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://x");
    const refuse = (code: number): void => {
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(statusOf(code)));
    };
    if (this.status !== 200) return refuse(this.status);
    const [, namespace, kind] = /^\/apis?\/(?:[\w.]+\/)?v1\/(?:namespaces\/([^/]+)\/)?(\w+)$/.exec(pathname) ?? [];
    if (kind === undefined || KINDS[kind] === undefined) return refuse(404);
    // Servers without this feature refuse it, and clients fall back to a list.
    if (query.has("sendInitialEvents")) return refuse(422);
    const wants = (one: Written): boolean =>
      one.kind === kind && (namespace === undefined || one.metadata.namespace === namespace) && isSelected(one, query);
    return query.get("watch") === null || query.get("watch") === "0"
      ? this.#list(kind, wants, query, response)
      : this.#watch(wants, query, response, refuse);
  }

  // oxlint-disable-next-line max-params -- a request in parts
  #list(kind: string, wants: (one: Written) => boolean, query: URLSearchParams, response: ServerResponse): void {
    const all = [...this.#objects.values()].filter(wants);
    const from = Number(query.get("continue") ?? 0);
    const limit = Math.min(this.page, Number(query.get("limit") ?? "0") || Infinity);
    const items = all.slice(from, from + limit).map((item): object => ({ ...item, kind: undefined }));
    const more = from + limit < all.length ? { continue: String(from + limit) } : {};
    const list = {
      kind: `${KINDS[kind]}List`,
      apiVersion: versionOf(kind),
      metadata: { resourceVersion: String(this.#version), ...more },
      items,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
  }

  // oxlint-disable-next-line max-params -- a request in parts
  #watch(wants: (one: Written) => boolean, query: URLSearchParams, response: ServerResponse, refuse: (code: number) => void): void {
    const version = Number(query.get("resourceVersion"));
    if (version < this.#oldest) return refuse(410);
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    for (const event of this.#events) if (event.version > version && wants(event.object)) response.write(lineOf(event));
    const watch = { wants, response };
    this.#watches.add(watch);
    response.on("close", () => this.#watches.delete(watch));
    return undefined;
  }
}

const versionOf = (kind: string): string =>
  ({ endpointslices: "discovery.k8s.io/v1", ingresses: "networking.k8s.io/v1", replicasets: "apps/v1", jobs: "batch/v1" })[kind] ?? "v1";
const lineOf = ({ type, object: { kind, ...object } }: Event): string =>
  `${JSON.stringify({ type, object: { kind: KINDS[kind], apiVersion: versionOf(kind), ...object } })}\n`;
const statusOf = (code: number): object => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: `test ${code}`,
  reason: code === 410 ? "Expired" : "Other",
  code,
});

/** Selectors of the form `name=value`. */
function isSelected({ metadata, ...rest }: Written, query: URLSearchParams): boolean {
  const [label, field] = [query.get("labelSelector"), query.get("fieldSelector")];
  const [name = "", value] = (label ?? "").split("=");
  if (label && metadata.labels?.[name] !== value) return false;
  if (!field) return true;
  const [path = "", wanted] = field.split("=");
  const found = path.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], { metadata, ...rest });
  return found === wanted;
}
