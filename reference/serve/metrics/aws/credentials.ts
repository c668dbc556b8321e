import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { assumedOf, type AwsKeys } from "../../../metrics/discovery/index.ts";
import type { Reader } from "../discovery/reader.ts";
import { type AwsCall, call } from "./call.ts";

/** Who asks Amazon Web Services, and where, as their own tools find it. */

export type AwsConfig = {
  readonly region?: string | undefined;
  readonly access_key?: string | undefined;
  readonly secret_key?: { reveal(): string } | undefined;
  readonly profile?: string | undefined;
  readonly role_arn?: string | undefined;
  readonly external_id?: string | undefined;
};
export type Environment = Readonly<Record<string, string | undefined>>;

/** Temporary keys are renewed this long before they expire. */
const EARLY_MS = 300_000;
const METADATA = "http://169.254.169.254";
const METADATA_MS = 5_000;
const STS_VERSION = "2011-06-15";

/** The region and the keys of one section. Keys that expire are renewed. */
export class AwsIdentity {
  readonly #config: AwsConfig;
  readonly #env: Environment;
  readonly #reader: Reader;
  #region: string | undefined;
  #keys: AwsKeys | undefined;

  /** `reader` asks the service of metadata, and the token service. */
  constructor(config: AwsConfig, reader: Reader, env: Environment) {
    this.#config = config;
    this.#reader = reader;
    this.#env = env;
  }

  /** The region: that of the configuration, of the environment, or of the instance that we run on. */
  async region(signal: AbortSignal): Promise<string> {
    const { AWS_REGION: first, AWS_DEFAULT_REGION: second } = this.#env;
    this.#region ??= this.#config.region || first || second || (await this.#metadata("meta-data/placement/region", signal)).trim();
    if (this.#region === "") throw new Error("no region: give one, or set AWS_REGION");
    return this.#region;
  }

  async keys(signal: AbortSignal): Promise<AwsKeys> {
    const isGood = this.#keys !== undefined && (this.#keys.expires ?? Infinity) - EARLY_MS > Date.now();
    if (!isGood) this.#keys = await this.#assumed(await this.#own(signal), signal);
    return this.#keys!;
  }

  /** Forgets keys that were refused. */
  forget(): void {
    this.#keys = undefined;
  }

  /** The keys of the configuration, a profile, the environment, the default profile, or the instance that we run on. */
  async #own(signal: AbortSignal): Promise<AwsKeys> {
    const { access_key: accessKey, secret_key: secret, profile } = this.#config;
    const secretKey = secret?.reveal();
    if (accessKey && secretKey) return { accessKey, secretKey };
    const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_SESSION_TOKEN: token, AWS_PROFILE: other } = this.#env;
    if (!profile && id && key) return { accessKey: id, secretKey: key, token: token || undefined };
    const file = this.#env["AWS_SHARED_CREDENTIALS_FILE"] ?? join(this.#env["HOME"] ?? homedir(), ".aws", "credentials");
    const named = profile || other;
    const found = inProfile(file, named ?? "default");
    if (found !== undefined) return found;
    if (named !== undefined)
      throw new Error(`${file}: the profile ${JSON.stringify(named)} has no aws_access_key_id with aws_secret_access_key`);
    const role = (await this.#metadata("meta-data/iam/security-credentials/", signal)).trim().split("\n", 1)[0] ?? "";
    const answer = JSON.parse(await this.#metadata(`meta-data/iam/security-credentials/${role}`, signal)) as Record<
      string,
      string | undefined
    >;
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = answer;
    if (!AccessKeyId || !SecretAccessKey) throw new Error("the instance that this runs on has no role");
    return { accessKey: AccessKeyId, secretKey: SecretAccessKey, token: Token, expires: Date.parse(Expiration ?? "") || undefined };
  }

  /** The keys of the role, if there is one. */
  async #assumed(keys: AwsKeys, signal: AbortSignal): Promise<AwsKeys> {
    const { role_arn: role, external_id: external } = this.#config;
    if (!role) return keys;
    const region = await this.region(signal);
    const endpoint = this.#env["AWS_ENDPOINT_URL_STS"] ?? `https://sts.${region}.${domainOf(region)}`;
    const params: AwsCall["params"] = [
      ["Action", "AssumeRole"],
      ["Version", STS_VERSION],
      ["RoleArn", role],
      ["RoleSessionName", `touchstone-${Date.now()}`],
      ...(external ? [["ExternalId", external] as const] : []),
    ];
    const assumed = assumedOf(await call(this.#reader, { endpoint, service: "sts", region, keys, params, signal }));
    if (assumed instanceof Error) throw assumed;
    return assumed;
  }

  /** What the instance that we run on says about itself. Its service wants a token of its own. */
  async #metadata(path: string, signal: AbortSignal): Promise<string> {
    const base = (this.#env["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? METADATA).replace(/\/+$/, "");
    if (this.#env["AWS_EC2_METADATA_DISABLED"] === "true")
      throw new Error("there are neither keys nor a region in the configuration or the environment, and AWS_EC2_METADATA_DISABLED is true");
    const own = { signal, timeoutMs: METADATA_MS };
    const { text: token } = await this.#reader.read(`${base}/latest/api/token`, {
      ...own,
      method: "PUT",
      fields: [["x-aws-ec2-metadata-token-ttl-seconds", "300"]],
    });
    return (await this.#reader.read(`${base}/latest/${path}`, { ...own, fields: [["x-aws-ec2-metadata-token", token.trim()]] })).text;
  }
}

/** The domain of the services of a region. */
export const domainOf = (region: string): string => (region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com");

/** The keys of a profile in a file of credentials; undefined if it has none. */
function inProfile(file: string, name: string): AwsKeys | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  let section = "";
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const header = /^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/.exec(line);
    if (header !== null) section = header[1] ?? "";
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (section === name && key !== "") fields.set(key, value);
  }
  const [accessKey, secretKey] = [fields.get("aws_access_key_id"), fields.get("aws_secret_access_key")];
  return accessKey && secretKey ? { accessKey, secretKey, token: fields.get("aws_session_token") } : undefined;
}
