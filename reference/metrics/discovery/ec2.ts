import { hostPort, labelName, labelsFrom, type LabelSet } from "./group.ts";
import { childOf, itemsIn, readXml, textIn, type XmlElement } from "./xml.ts";

/** Targets from the instances of a cloud (Prometheus docs, configuration/configuration.md, `<ec2_sd_config>`). */

const PREFIX = "__meta_ec2_";

/** One page of instances: their labels, and what to ask the next page with. */
export type InstancesPage = { readonly targets: readonly LabelSet[]; readonly next: string | undefined };

/** The targets of a page, an answer to DescribeInstances; an `Error` if it is not one. `zones` are the identifiers of availability zones by name. */
export function instancesOf(
  text: string,
  { port, region, zones }: { readonly port: number; readonly region: string; readonly zones: ReadonlyMap<string, string> },
): InstancesPage | Error {
  const root = readXml(text);
  if (root instanceof Error) return root;
  if (root.name !== "DescribeInstancesResponse") return new Error(`the answer is <${root.name}> instead of <DescribeInstancesResponse>`);
  const targets = itemsIn(root, "reservationSet").flatMap((reservation) =>
    itemsIn(reservation, "instancesSet").flatMap((instance) => {
      const labels = labelsOf(instance, zones);
      if (labels === undefined) return [];
      const { address, ...meta } = labels;
      return [
        {
          ...labelsFrom(Object.entries(meta).map(([name, value]) => [`${PREFIX}${name}`, value] as const)),
          ...labelsFrom([[`${PREFIX}owner_id`, textIn(reservation, "ownerId")]]),
          [`${PREFIX}region`]: region,
          __address__: hostPort(address, port),
        },
      ];
    }),
  );
  return { targets, next: textIn(root, "nextToken") };
}

/** The address and the labels of an instance; undefined if it has no address. */
function labelsOf(
  instance: XmlElement,
  zones: ReadonlyMap<string, string>,
): ({ readonly address: string } & Readonly<Record<string, string | undefined>>) | undefined {
  const field = (name: string): string | undefined => textIn(instance, name);
  const { all, primary, first } = ipv6Of(instance);
  const address = field("privateIpAddress") ?? first;
  if (address === undefined) return undefined;
  const zone = textIn(childOf(instance, "placement"), "availabilityZone");
  const vpc = field("vpcId");
  const subnets = new Set(itemsIn(instance, "networkInterfaceSet").flatMap((one) => textIn(one, "subnetId") ?? []));
  const tags = itemsIn(instance, "tagSet").map((tag) => [`tag_${labelName(textIn(tag, "key") ?? "")}`, textIn(tag, "value")] as const);
  return {
    ...Object.fromEntries(tags),
    address,
    ami: field("imageId"),
    architecture: field("architecture"),
    availability_zone: zone,
    availability_zone_id: zone === undefined ? undefined : zones.get(zone),
    default_ipv6_address: first,
    instance_id: field("instanceId"),
    instance_lifecycle: field("instanceLifecycle"),
    instance_state: textIn(childOf(instance, "instanceState"), "name"),
    instance_type: field("instanceType"),
    ipv6_addresses: listed(all),
    platform: field("platform"),
    primary_ipv6_addresses: listed(primary),
    primary_subnet_id: vpc === undefined ? undefined : field("subnetId"),
    private_dns_name: field("privateDnsName"),
    private_ip: field("privateIpAddress"),
    public_dns_name: field("ipAddress") === undefined ? undefined : field("dnsName"),
    public_ip: field("ipAddress"),
    subnet_id: vpc === undefined ? undefined : `,${[...subnets].join(",")},`,
    vpc_id: vpc,
  };
}

const listed = (addresses: readonly string[]): string | undefined => (addresses.length === 0 ? undefined : `,${addresses.join(",")},`);

/** No instance has as many network interfaces. */
const MOST_DEVICES = 1_000;

/** The IPv6 addresses of an instance; `primary` has each at the position of its interface, and `first` is the one to use. */
function ipv6Of(instance: XmlElement): { readonly all: string[]; readonly primary: string[]; readonly first: string | undefined } {
  const [all, primary]: [string[], string[]] = [[], []];
  if (textIn(instance, "vpcId") !== undefined)
    for (const one of itemsIn(instance, "networkInterfaceSet")) {
      if (textIn(one, "subnetId") === undefined) continue;
      const device = Number(textIn(childOf(one, "attachment"), "deviceIndex") ?? -1);
      for (const entry of itemsIn(one, "ipv6AddressesSet")) {
        const address = textIn(entry, "ipv6Address");
        if (address === undefined) continue;
        all.push(address);
        if (textIn(entry, "isPrimaryIpv6") !== "true" || !(device >= 0 && device < MOST_DEVICES)) continue;
        while (primary.length <= device) primary.push("");
        primary[device] = address;
      }
    }
  return { all, primary, first: [...primary, ...all].find((one) => one !== "") };
}

/** The identifiers of availability zones by their names, from an answer to DescribeAvailabilityZones. */
export function zonesOf(text: string): ReadonlyMap<string, string> | Error {
  const root = readXml(text);
  if (root instanceof Error) return root;
  const pairs = itemsIn(root, "availabilityZoneInfo").map((one) => [textIn(one, "zoneName"), textIn(one, "zoneId")] as const);
  return new Map(pairs.filter((pair): pair is [string, string] => pair[0] !== undefined && pair[1] !== undefined));
}

/** The credentials in an answer of the token service, and until when they hold. */
export function assumedOf(text: string): AwsKeys | Error {
  const root = readXml(text);
  if (root instanceof Error) return root;
  const found = childOf(
    root.children.find(({ name }) => name.endsWith("Result")),
    "Credentials",
  );
  const [accessKey, secretKey] = [textIn(found, "AccessKeyId"), textIn(found, "SecretAccessKey")];
  if (accessKey === undefined || secretKey === undefined) return new Error("the token service answers without credentials");
  return {
    accessKey,
    secretKey,
    token: textIn(found, "SessionToken"),
    expires: Date.parse(textIn(found, "Expiration") ?? "") || undefined,
  };
}

export type AwsKeys = {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly token?: string | undefined;
  /** Milliseconds since 1970; undefined if they do not expire. */
  readonly expires?: number | undefined;
};

/** The code and the message of a refusal, if it has them. */
export function refusalOf(text: string): string | undefined {
  const root = readXml(text);
  const find = (element: XmlElement): XmlElement | undefined =>
    element.name === "Error" ? element : element.children.map(find).find((one) => one !== undefined);
  const error = root instanceof Error ? undefined : find(root);
  return error === undefined ? undefined : `${textIn(error, "Code") ?? "Error"}: ${textIn(error, "Message") ?? ""}`;
}
