import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type HttpConfig, type ScrapeConfig, Secret } from "../../../metrics/config/index.ts";
import { readKubeconfig } from "../../../metrics/discovery/index.ts";

/** Where an API server is, and how it is asked. */
export type ApiAccess = { readonly base: string; readonly http: HttpConfig };

/** What the system of a pod has. */
export type PodSystem = { readonly env: Readonly<Record<string, string | undefined>>; readonly account: string };
export const POD_SYSTEM: PodSystem = { env: process.env, account: "/var/run/secrets/kubernetes.io/serviceaccount" };

type KubernetesConfig = ScrapeConfig["kubernetes_sd_configs"][number];

/** The access that a section describes: its `api_server`, a kubeconfig file, or the account of the pod that we run in. Throws if there is none. */
export function accessOf(config: KubernetesConfig, system: PodSystem): ApiAccess {
  const { api_server, kubeconfig_file } = config;
  if (kubeconfig_file) return fromFile(config, kubeconfig_file);
  if (api_server) return { base: api_server.replace(/\/+$/, ""), http: config };
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = system.env;
  if (!host || !port) throw new Error("without api_server and kubeconfig_file this must run in a pod: KUBERNETES_SERVICE_HOST is not set");
  return {
    base: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    http: {
      ...config,
      authorization: { type: "Bearer", credentials: undefined, credentials_file: `${system.account}/token` },
      tls_config: { ...NO_TLS, ca_file: `${system.account}/ca.crt` },
    },
  };
}

/** The namespace of the pod that we run in. */
export function ownNamespace({ account }: PodSystem): string {
  const name = readFileSync(`${account}/namespace`, "utf8").trim();
  if (name === "") throw new Error(`${account}/namespace is empty`);
  return name;
}

const NO_TLS: NonNullable<HttpConfig["tls_config"]> = {
  ca: undefined,
  ca_file: undefined,
  cert: undefined,
  cert_file: undefined,
  key: undefined,
  key_file: undefined,
  server_name: undefined,
  insecure_skip_verify: false,
  min_version: undefined,
  max_version: undefined,
};

function fromFile(config: KubernetesConfig, file: string): ApiAccess {
  const read = readKubeconfig(readFileSync(file, "utf8"));
  if (read instanceof Error) throw new Error(`${file}: ${read.message}`);
  const path = (name: string | undefined): string | undefined => (name ? resolve(dirname(file), name) : undefined);
  const secret = (text: string | undefined): Secret | undefined => (text === undefined ? undefined : new Secret(text));
  const { server, token, tokenFile, username, password } = read;
  const hasToken = token !== undefined || tokenFile !== undefined;
  return {
    base: server.replace(/\/+$/, ""),
    http: {
      ...config,
      proxy_url: read.proxy,
      tls_config: {
        ...NO_TLS,
        ca: read.ca,
        ca_file: read.ca === undefined ? path(read.caFile) : undefined,
        cert: read.cert,
        cert_file: read.cert === undefined ? path(read.certFile) : undefined,
        key: secret(read.key),
        key_file: read.key === undefined ? path(read.keyFile) : undefined,
        server_name: read.serverName,
        insecure_skip_verify: read.isInsecure,
      },
      authorization: hasToken
        ? { type: "Bearer", credentials: tokenFile ? undefined : secret(token), credentials_file: path(tokenFile) }
        : undefined,
      basic_auth:
        !hasToken && username !== undefined
          ? { username, username_file: undefined, password: secret(password ?? ""), password_file: undefined }
          : undefined,
    },
  };
}
