import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { discoverEc2 } from "./ec2.ts";
import { Cloud, IPV6, KEYS } from "./ec2-testing.ts";
import { type ApiServer, configOf, run, type Running, targetsOf } from "./testing.ts";

/** Targets from a cloud: Prometheus docs, configuration/configuration.md, `<ec2_sd_config>`. */

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-ec2-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const OWN = `, region: eu-x-1, access_key: ${KEYS.accessKey}, secret_key: ${KEYS.secretKey}`;
const NO_FILE = { AWS_SHARED_CREDENTIALS_FILE: "/nowhere" };
const start = ({ url }: ApiServer, more = OWN, env: Readonly<Record<string, string>> = {}): Running => {
  const config = configOf("ec2_sd_configs", `{endpoint: "${url}", refresh_interval: 100ms, port: 9100${more}}`);
  return run((report) => discoverEc2(config, report, { ...NO_FILE, AWS_EC2_METADATA_DISABLED: "true", ...env }));
};
const ids = ({ provider }: Running): (string | undefined)[] => targetsOf(provider.groups).map((one) => one["__meta_ec2_instance_id"]);

test("instances of all pages, with their labels", async () => {
  const cloud = new Cloud();
  await using server = await cloud.serve();
  await using running = start(server);
  await expect
    .poll(() => targetsOf(running.provider.groups))
    .toEqual([
      {
        __address__: "10.0.0.1:9100",
        __meta_ec2_ami: "ami-1",
        __meta_ec2_architecture: "arm64",
        __meta_ec2_availability_zone: "eu-x-1a",
        __meta_ec2_availability_zone_id: "eux1-az3",
        __meta_ec2_instance_id: "i-1",
        __meta_ec2_instance_lifecycle: "spot",
        __meta_ec2_instance_state: "running",
        __meta_ec2_instance_type: "t3.small",
        __meta_ec2_owner_id: "12345",
        __meta_ec2_platform: "windows",
        __meta_ec2_primary_subnet_id: "subnet-1",
        __meta_ec2_private_dns_name: "ip-10-0-0-1.internal",
        __meta_ec2_private_ip: "10.0.0.1",
        __meta_ec2_public_dns_name: "ec2-198-51-100-1.example",
        __meta_ec2_public_ip: "198.51.100.1",
        __meta_ec2_region: "eu-x-1",
        __meta_ec2_subnet_id: ",subnet-1,subnet-2,",
        __meta_ec2_tag_Name: "a & <b> é",
        __meta_ec2_tag_aws_x_y_z: "1",
        __meta_ec2_vpc_id: "vpc-1",
      },
      expect.objectContaining({ __address__: "10.0.0.2:9100", __meta_ec2_instance_state: "stopped" }),
    ]);
  expect(cloud.asked[0]?.["Action"]).toBe("DescribeAvailabilityZones");
  expect(cloud.asked.slice(1, 3).map(({ NextToken }) => NextToken)).toEqual([undefined, "2"]);
  expect(server.requests.at(-1)?.headers["content-type"]).toContain("application/x-www-form-urlencoded");
});

test("filters, and an instance that has only IPv6", async () => {
  const cloud = new Cloud();
  await using server = await cloud.serve();
  await using running = start(server, `${OWN}, filters: [{name: instance-type, values: [t3.large, "x y"]}, {name: "tag:a", values: [b]}]`);
  await expect.poll(() => ids(running)).toEqual(["i-2"]);
  expect(cloud.asked.at(-1)).toEqual({
    Action: "DescribeInstances",
    Version: "2016-11-15",
    "Filter.1.Name": "instance-type",
    "Filter.1.Value.1": "t3.large",
    "Filter.1.Value.2": "x y",
    "Filter.2.Name": "tag:a",
    "Filter.2.Value.1": "b",
  });
  cloud.instances = IPV6;
  await using other = start(server);
  await expect
    .poll(() => targetsOf(other.provider.groups))
    .toMatchObject([
      {
        __address__: "[2001:db8::2]:9100",
        __meta_ec2_default_ipv6_address: "2001:db8::2",
        __meta_ec2_ipv6_addresses: ",2001:db8::1,2001:db8::2,2001:db8::3,",
        __meta_ec2_primary_ipv6_addresses: ",,2001:db8::2,",
      },
    ]);
});

test.each<[string, (url: string) => { readonly more: string; readonly env: Readonly<Record<string, string>> }, Cloud["keys"]]>([
  [
    "of the environment",
    () => ({ more: ", region: eu-x-1", env: { AWS_ACCESS_KEY_ID: KEYS.accessKey, AWS_SECRET_ACCESS_KEY: KEYS.secretKey } }),
    KEYS,
  ],
  [
    "of a profile",
    () => ({ more: ", region: eu-x-1, profile: p", env: { AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials") } }),
    KEYS,
  ],
  [
    "of the instance that we run on, as is the region",
    (url) => ({ more: "", env: { AWS_EC2_METADATA_DISABLED: "", AWS_EC2_METADATA_SERVICE_ENDPOINT: url } }),
    { ...KEYS, token: "role-token" },
  ],
  [
    "of a role",
    (url) => ({ more: `${OWN}, role_arn: "arn:aws:iam::1:role/r", external_id: e1`, env: { AWS_ENDPOINT_URL_STS: url } }),
    { accessKey: "TEMP", secretKey: "temp-secret", token: "session" },
  ],
])("keys %s", async (_, settings, keys) => {
  writeFileSync(
    join(folder, "credentials"),
    `[default]\naws_access_key_id = no\n[p]\naws_access_key_id=${KEYS.accessKey}\naws_secret_access_key = ${KEYS.secretKey}\n`,
  );
  const cloud = new Cloud();
  cloud.keys = keys;
  await using server = await cloud.serve();
  const { more, env } = settings(server.url);
  await using running = start(server, more, env);
  await expect.poll(() => ids(running)).toEqual(["i-1", "i-2"]);
});

test("while the keys are refused the targets stay, and the fault has the code", async () => {
  const cloud = new Cloud();
  await using server = await cloud.serve();
  await using running = start(server);
  await expect.poll(() => ids(running)).toEqual(["i-1", "i-2"]);
  cloud.keys = { ...KEYS, secretKey: "another" };
  await expect.poll(() => running.provider.fault).toBe("ec2 answers: AuthFailure: not you");
  expect(ids(running)).toEqual(["i-1", "i-2"]);
});

test("without keys and without a region the fault says what to give", async () => {
  await using server = await new Cloud().serve();
  await using running = start(server, "");
  await expect.poll(() => running.provider.fault).toContain("there are neither keys nor a region");
});
