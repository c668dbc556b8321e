import { Misuse } from "../core/index.ts";
import { array, record, whole, wrong } from "./config-json.ts";
import { readServiceConfig } from "./service-config.ts";

/** Whom a publisher of service configs can tell apart (rpc-config-dns#canarying-changes). */
export type ConfigClient = {
  /** In the names of the publisher, such as `node`; case does not matter. */
  readonly language: string;
  /** As the system spells it. */
  readonly hostname: string;
  /** From 0 to 99: a choice for N percent is for the clients below N. */
  readonly percentile: number;
};

const FIELDS: readonly string[] = ["clientLanguage", "percentage", "clientHostname", "serviceConfig"];

/**
 * The service config, as JSON, that TXT records choose for a client: `attribute=[choices]` in one of them, whose strings are joined already
 * (rpc-config-dns#encoding-in-dns-txt-records). The first choice that fits counts; undefined if no record has the attribute, or no choice fits. Throws
 * `Misuse` if a choice, or the chosen config, is invalid: then nothing of it may be used (A21). Fields of the config that are not known are left
 * to `readServiceConfig`.
 */
export function chooseServiceConfig(records: readonly string[], attribute: string, client: ConfigClient): unknown {
  const prefix = `${attribute}=`;
  const found = records.find((one) => one.startsWith(prefix));
  if (found === undefined) return undefined;
  let chosen: unknown;
  for (const [at, json] of array(parsed(found.slice(prefix.length)), "the list of choices").entries()) {
    const where = `choice ${at}`;
    const { clientLanguage, percentage, clientHostname, serviceConfig } = record(json, where, FIELDS);
    const languages = texts(clientLanguage, `${where}, clientLanguage,`).map((name) => name.toLowerCase());
    const hostnames = texts(clientHostname, `${where}, clientHostname,`);
    const percent = percentage === undefined ? 100 : whole(percentage, `${where}, percentage,`, 100);
    if (typeof serviceConfig !== "object" || serviceConfig === null || Array.isArray(serviceConfig))
      wrong(`${where}, serviceConfig,`, "must be an object");
    const isFor =
      (languages.length === 0 || languages.includes(client.language.toLowerCase())) &&
      (hostnames.length === 0 || hostnames.includes(client.hostname)) &&
      client.percentile < percent;
    if (isFor) chosen ??= serviceConfig;
  }
  if (chosen !== undefined) readServiceConfig(chosen, "ignore");
  return chosen;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Misuse(`service config: the list of choices is not JSON: ${(cause as Error).message}`, { cause });
  }
}
/** None, if they are left out. */
const texts = (json: unknown, where: string): readonly string[] =>
  array(json ?? [], where).map((one) => (typeof one === "string" ? one : wrong(where, "must be a list of texts")));
