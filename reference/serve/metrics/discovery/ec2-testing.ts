import type { IncomingMessage, ServerResponse } from "node:http";
import { signed } from "../aws/signature.ts";
import { type ApiServer, apiServer } from "./testing.ts";

/** The API of a cloud for tests: instances in pages, filters, and signatures that are checked. */

export const KEYS = { accessKey: "AKID", secretKey: "wJalr/secret" } as const;
const REGION = "eu-x-1";

/** An instance: fields of its XML by name. */
export type Instance = Readonly<Record<string, unknown>> & { readonly instanceId: string };

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** A value as XML: objects have elements, lists have items. */
const xmlOf = (value: unknown): string => {
  if (Array.isArray(value)) return (value as unknown[]).map((one) => `<item>${xmlOf(one)}</item>`).join("\n  ");
  if (typeof value !== "object" || value === null) return escaped(String(value));
  return Object.entries(value)
    .map(([name, one]) => `<${name}>${xmlOf(one)}</${name}>`)
    .join("");
};
const answerOf = (action: string, content: object): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">${xmlOf({ requestId: "r", ...content })}</${action}Response>`;

export class Cloud {
  instances: readonly Instance[] = INSTANCES;
  /** Instances on a page. */
  page = 2;
  /** The keys that are accepted. */
  keys: { readonly accessKey: string; readonly secretKey: string; readonly token?: string } = KEYS;
  /** The parameters of all requests. */
  readonly asked: Record<string, string>[] = [];

  serve(): Promise<ApiServer> {
    return apiServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => this.#answer(request, Buffer.concat(pieces).toString(), response));
    });
  }

  #answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "", "http://x");
    if (pathname.startsWith("/latest/")) return this.#metadata(request, pathname, response);
    const params = Object.fromEntries(new URLSearchParams(body));
    this.asked.push(params);
    const reply = (status: number, text: string): void => void response.writeHead(status, { "content-type": "text/xml" }).end(text);
    const code = params["Action"] === "AssumeRole" ? faultOf(request, body, "sts", KEYS) : faultOf(request, body, "ec2", this.keys);
    if (code !== undefined)
      return reply(
        401,
        `<Response><Errors><Error><Code>${code}</Code><Message>not you</Message></Error></Errors><RequestID>r</RequestID></Response>`,
      );
    switch (params["Action"]) {
      case "AssumeRole": {
        const credentials = {
          AccessKeyId: "TEMP",
          SecretAccessKey: "temp-secret",
          SessionToken: "session",
          Expiration: "2999-01-01T00:00:00Z",
        };
        const result = xmlOf({ AssumeRoleResult: { Credentials: credentials } });
        return reply(200, `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</AssumeRoleResponse>`);
      }
      case "DescribeAvailabilityZones": {
        const zones = [{ zoneName: `${REGION}a`, zoneId: "eux1-az3", regionName: REGION, zoneState: "available" }];
        return reply(200, answerOf("DescribeAvailabilityZones", { availabilityZoneInfo: zones }));
      }
      default: {
        const wanted = params["Filter.1.Name"] === "instance-type" ? params["Filter.1.Value.1"] : undefined;
        const all = this.instances.filter(({ instanceType }) => wanted === undefined || instanceType === wanted);
        const from = Number(params["NextToken"] ?? 0);
        const instances = all.slice(from, from + this.page);
        const reservationSet = [{ reservationId: "r-1", ownerId: "12345", groupSet: [], instancesSet: instances }];
        const more = from + this.page < all.length ? { nextToken: String(from + this.page) } : {};
        return reply(200, answerOf("DescribeInstances", { reservationSet, ...more }));
      }
    }
  }

  #metadata(request: IncomingMessage, path: string, response: ServerResponse): void {
    if (request.method === "PUT") return void response.end("metadata-token");
    if (request.headers["x-aws-ec2-metadata-token"] !== "metadata-token") return void response.writeHead(401).end();
    const keys = { AccessKeyId: KEYS.accessKey, SecretAccessKey: KEYS.secretKey, Token: "role-token", Expiration: "2999-01-01T00:00:00Z" };
    if (path.endsWith("/region")) return void response.end(REGION);
    return void response.end(path.endsWith("security-credentials/") ? "my-role" : JSON.stringify(keys));
  }
}

/** The code of what is wrong with the signature of a request. */
function faultOf(request: IncomingMessage, body: string, service: string, keys: Cloud["keys"]): string | undefined {
  const { authorization = "", host = "", "x-amz-date": date = "" } = request.headers as Record<string, string>;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  const own = ["host", "x-amz-date", "x-amz-security-token"];
  const fields = Object.fromEntries(names.filter((name) => !own.includes(name)).map((name) => [name, String(request.headers[name])]));
  const now = Date.parse(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"));
  if (Number.isNaN(now)) return "MissingAuthenticationToken";
  const url = `http://${host}${request.url}`;
  const right = signed({ method: request.method ?? "", url, fields, body, service, region: REGION, keys, now });
  return authorization.replaceAll(/,\s*/g, ",") === right["authorization"]?.replaceAll(/,\s*/g, ",") ? undefined : "AuthFailure";
}

const network = (subnetId: string, deviceIndex: number, addresses: readonly object[] = []) => ({
  networkInterfaceId: `eni-${deviceIndex}`,
  subnetId,
  attachment: { attachmentId: "a", deviceIndex },
  ipv6AddressesSet: addresses,
});
const INSTANCES: readonly Instance[] = [
  {
    instanceId: "i-1",
    imageId: "ami-1",
    instanceState: { code: 16, name: "running" },
    privateDnsName: "ip-10-0-0-1.internal",
    dnsName: "ec2-198-51-100-1.example",
    instanceType: "t3.small",
    placement: { availabilityZone: `${REGION}a`, tenancy: "default" },
    subnetId: "subnet-1",
    vpcId: "vpc-1",
    privateIpAddress: "10.0.0.1",
    ipAddress: "198.51.100.1",
    architecture: "arm64",
    instanceLifecycle: "spot",
    platform: "windows",
    tagSet: [
      { key: "Name", value: "a & <b> é" },
      { key: "aws:x-y/z", value: "1" },
      { key: "empty", value: "" },
    ],
    networkInterfaceSet: [network("subnet-1", 0), network("subnet-2", 1), network("subnet-1", 2)],
  },
  {
    instanceId: "i-2",
    instanceType: "t3.large",
    privateIpAddress: "10.0.0.2",
    instanceState: { code: 80, name: "stopped" },
    imageId: "ami-2",
    privateDnsName: "x",
    placement: { availabilityZone: "elsewhere" },
  },
  { instanceId: "i-3", instanceType: "t3.large", instanceState: { code: 48, name: "terminated" } },
];
/** Instances with IPv6, which older servers show in another way. */
export const IPV6: readonly Instance[] = [
  {
    instanceId: "i-4",
    instanceType: "m",
    instanceState: { code: 16, name: "running" },
    vpcId: "vpc-1",
    subnetId: "subnet-1",
    networkInterfaceSet: [
      network("subnet-1", 1, [{ ipv6Address: "2001:db8::1" }, { ipv6Address: "2001:db8::2", isPrimaryIpv6: true }]),
      network("subnet-2", 0, [{ ipv6Address: "2001:db8::3", isPrimaryIpv6: false }]),
    ],
  },
];
