import { parse } from "yaml";
import { maybe, object, objects } from "./json.ts";

/** How an API server is reached, from a kubeconfig file. Paths are as the file has them. */
export type KubeAccess = {
  readonly server: string;
  readonly ca?: string;
  readonly caFile?: string;
  readonly isInsecure: boolean;
  readonly serverName?: string;
  readonly cert?: string;
  readonly certFile?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly proxy?: string;
};

/** Reads the current context of a kubeconfig file; an `Error` that names the field if that cannot be used. */
export function readKubeconfig(text: string): KubeAccess | Error {
  let whole: unknown;
  try {
    whole = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    return new Error(`it is not YAML: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`);
  }
  const file = object(whole);
  const named = (list: string, kind: string, name: string | undefined) => {
    const entry = objects(file[list]).find((one) => one["name"] === name);
    return entry === undefined ? undefined : object(entry[kind]);
  };
  const current = maybe(file["current-context"]);
  const context = named("contexts", "context", current);
  if (context === undefined) return new Error(`current-context: there is no context ${JSON.stringify(current ?? "")}`);
  const cluster = named("clusters", "cluster", maybe(context["cluster"]));
  const server = maybe(cluster?.["server"]) ?? "";
  if (cluster === undefined || !/^https?:\/\/./.test(server))
    return new Error(`clusters: the cluster ${JSON.stringify(context["cluster"] ?? "")} has no server with http: or https:`);
  const user = named("users", "user", maybe(context["user"])) ?? {};
  for (const field of ["exec", "auth-provider", "as"] as const)
    if (user[field] !== undefined) return new Error(`users.${field}: it is not supported: give a token, a file or a certificate`);
  const data = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? Buffer.from(value, "base64").toString() : undefined;
  return defined({
    server,
    ca: data(cluster["certificate-authority-data"]),
    caFile: maybe(cluster["certificate-authority"]),
    isInsecure: cluster["insecure-skip-tls-verify"] === true,
    serverName: maybe(cluster["tls-server-name"]),
    cert: data(user["client-certificate-data"]),
    certFile: maybe(user["client-certificate"]),
    key: data(user["client-key-data"]),
    keyFile: maybe(user["client-key"]),
    token: maybe(user["token"]),
    tokenFile: maybe(user["tokenFile"]),
    username: maybe(user["username"]),
    password: maybe(user["password"]),
    proxy: maybe(cluster["proxy-url"]),
  });
}

const defined = (fields: Record<string, unknown>): KubeAccess =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as KubeAccess;
