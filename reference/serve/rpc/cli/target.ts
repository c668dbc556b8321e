import { readFileSync } from "node:fs";
import type { AnyDialectName, DialectName, MetadataEntry } from "../../../rpc/index.ts";
import { certificateIn, pem } from "../../cli/listening.ts";
import { connect } from "../../client/connect.ts";
import type { ConnectOptions } from "../../client/options.ts";
import { openChannel, type Channel } from "../client.ts";
import type { ChannelOptions } from "../options.ts";
import { Reflected } from "../reflection/ask.ts";
import { contractsInFiles, type ContractSource } from "./contract-source.ts";
import { BadInput } from "./json-messages.ts";
import type { TargetOptions } from "./target-options.ts";

/** Metadata as the command line has it. */
export function metadataOf(headers: readonly string[]): MetadataEntry[] {
  return headers.map((header) => {
    const colon = header.indexOf(":");
    if (colon < 1) throw new BadInput(`--header ${JSON.stringify(header)}: give name:value`);
    const name = header.slice(0, colon).trim().toLowerCase();
    const value = header.slice(colon + 1).trim();
    if (!name.endsWith("-bin")) return { name, value };
    try {
      return { name, value: Uint8Array.fromBase64(value) };
    } catch {
      throw new BadInput(`--header ${JSON.stringify(header)}: the value of a name that ends in -bin is Base64`);
    }
  });
}

/** A server to call, and its contracts. */
export type Target = { readonly channel: Channel; readonly contracts: ContractSource; readonly dialect: AnyDialectName };

/** Connects. Asks the server for its dialect unless an option says it. */
export async function reachTarget(url: string, options: TargetOptions): Promise<Target> {
  const { ca, cert, key, insecure, servername, deadline, maxMessage, http3 } = options;
  const tls = {
    ...(ca !== undefined && { ca: pem(ca) }),
    ...certificateIn(cert, key, "--cert and --key"),
    ...(insecure === true && { verify: false }),
    ...(servername !== undefined && { servername }),
  };
  const to = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!/^https:/i.test(to) && Object.keys(tls).length > 0) throw new BadInput("TLS options need an https: URL");
  if (http3 === true && !/^https:/i.test(to)) throw new BadInput("--http3 needs an https: URL: HTTP/3 has no clear text");
  const connecting: Connecting = {
    alpn: [http3 === true ? "h3" : "h2"],
    tls,
    graceMs: 1_000,
    ...(deadline !== undefined && { connectMs: Math.max(1, deadline) }),
  };
  const dialect = options.dialect ?? (await dialectOf(to, connecting));
  const channel = openChannel(to, { ...connecting, dialect, ...(maxMessage !== undefined && { maxMessageOctets: maxMessage }) });
  const metadata = metadataOf(options.header);
  const contracts =
    options.proto.length > 0
      ? contractsInFiles(options.proto, options.protoPath)
      : new Reflected(channel, { metadata, ...(deadline !== undefined && { timeoutMs: deadline }) });
  return { channel, contracts, dialect };
}

type Connecting = ConnectOptions & Pick<ChannelOptions, "alpn">;

/** A method that no server has. */
const NOWHERE = "/touchstone.Dialect/Find";
/** A server that does not know a content type answers it with 415, before anything else. */
const UNSUPPORTED = 415;

async function dialectOf(url: string, options: ConnectOptions): Promise<DialectName> {
  const client = await connect(url, options);
  try {
    const { status, body } = await client.request({
      method: "POST",
      path: NOWHERE,
      fields: [
        ["content-type", "application/grpc"],
        ["te", "trailers"],
      ],
      body: new Uint8Array(),
    });
    await Array.fromAsync(body);
    return status === UNSUPPORTED ? "rpc" : "grpc";
  } finally {
    await client.close();
  }
}

/** The text that `--data` names: itself, a file after `@`; undefined for standard input (`@` or `@-`). */
export function dataOf(data: string): string | undefined {
  if (data === "@" || data === "@-") return undefined;
  if (!data.startsWith("@")) return data;
  try {
    return readFileSync(data.slice(1), "utf8");
  } catch (cause) {
    throw new BadInput(`--data ${data}: the file cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}
