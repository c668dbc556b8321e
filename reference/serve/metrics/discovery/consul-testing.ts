import type { IncomingMessage, ServerResponse } from "node:http";
import { type ApiServer, apiServer } from "./testing.ts";

/** A catalog of Consul for tests: the endpoints that discovery uses, with blocking queries. Filters are only recorded. */

export type Instance = {
  readonly node: string;
  readonly service: string;
  readonly id: string;
  readonly address?: string;
  readonly port: number;
  readonly tags?: readonly string[];
  readonly meta?: Readonly<Record<string, string>>;
  readonly checks?: readonly { readonly CheckID: string; readonly Status: string }[];
};

const NODES: Readonly<Record<string, object>> = {
  n1: {
    Node: "n1",
    Address: "192.0.2.1",
    Datacenter: "dc1",
    TaggedAddresses: { lan: "192.0.2.1", "wan-v4": "198.51.100.1" },
    Meta: { rack: "r 1", "a.b": "" },
  },
  n2: { Node: "n2", Address: "2001:db8::2", Datacenter: "dc1", TaggedAddresses: null, Meta: null },
};

export class Catalog {
  instances: readonly Instance[] = [];
  index = 10;
  /** Answers nothing but this status. */
  status = 200;
  readonly #waiting = new Set<() => void>();

  /** Takes other instances, under a higher index unless another one is given. */
  change(instances: readonly Instance[], index = this.index + 1): void {
    this.instances = instances;
    this.index = index;
    this.wake();
  }
  wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  serve(): Promise<ApiServer> {
    return apiServer((request, response) => this.#answer(request, response));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://x");
    if (this.status !== 200) return void response.writeHead(this.status).end("No cluster leader");
    if (pathname.endsWith("/v1/agent/self")) return void response.end(JSON.stringify({ Config: { Datacenter: "dc1", NodeName: "n1" } }));
    const index = Number(query.get("index") ?? 0);
    const reply = (): void => {
      if (this.status !== 200) return void response.writeHead(this.status).end("No cluster leader");
      response.writeHead(200, { "content-type": "application/json", "x-consul-index": String(this.index), "x-consul-knownleader": "true" });
      response.end(JSON.stringify(this.#content(pathname, query)));
    };
    if (index < this.index) return reply();
    const timer = setTimeout(() => this.#waiting.delete(reply) && reply(), Number.parseInt(query.get("wait") ?? "300000", 10));
    timer.unref();
    this.#waiting.add(reply);
    return undefined;
  }

  #content(pathname: string, query: URLSearchParams): unknown {
    if (pathname.endsWith("/v1/catalog/services")) {
      const services: Record<string, string[]> = {};
      for (const { service, tags = [] } of this.instances) services[service] = [...new Set([...(services[service] ?? []), ...tags])];
      return services;
    }
    const name = decodeURIComponent(pathname.split("/").at(-1) ?? "");
    const wanted = query.getAll("tag");
    return this.instances
      .filter(({ service, tags = [] }) => service === name && wanted.every((tag) => tags.includes(tag)))
      .map(({ node, service, id, address = "", port, tags = [], meta = {}, checks = [] }) => ({
        Node: NODES[node],
        Service: { ID: id, Service: service, Tags: tags, Address: address, Port: port, Meta: meta },
        Checks: checks,
      }));
  }
}

/** Instances with everything that becomes a label. */
export const INSTANCES: readonly Instance[] = [
  { node: "n1", service: "web", id: "web-1", port: 8080, tags: ["v1", "prod"], meta: { "team-name": "a", zone: "é" } },
  {
    node: "n2",
    service: "web",
    id: "web-2",
    port: 8081,
    address: "203.0.113.9",
    checks: [
      { CheckID: "c", Status: "passing" },
      { CheckID: "d", Status: "warning" },
    ],
  },
  { node: "n2", service: "db", id: "db-1", port: 5432, checks: [{ CheckID: "_service_maintenance:db-1", Status: "critical" }] },
  { node: "n1", service: "db", id: "db-2", port: 0, checks: [{ CheckID: "c", Status: "critical" }] },
];
