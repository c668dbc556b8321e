import type { Vector } from "../../load.ts";
import type { VectorSource, WithoutId } from "../../write.ts";

/** Choices of a service config with given clients. Append to lists only: the position of a vector is its id. */

type Client = { readonly language: string; readonly hostname: string; readonly percentile: number };
type Config = Readonly<Record<string, unknown>>;
export type ChoiceVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  /** The TXT records, each with its strings joined. */
  readonly records: readonly string[];
  readonly attribute: "rpc_config" | "grpc_config";
  readonly client: Client;
  /** Null if no config is for the client. */
  readonly chosen: Config | null;
};
export type ChoiceSource = VectorSource<ChoiceVector>;
type Draft = WithoutId<ChoiceVector>;

const CLIENT: Client = { language: "node", hostname: "host-1", percentile: 50 };
/** Two configs that are told apart by a time. */
const [A, B]: readonly [Config, Config] = [{ methodConfig: [{ name: [{}], timeout: "1s" }] }, { methodConfig: [{ name: [{}], timeout: "2s" }] }];
const nameOf = (note: string): string => note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
const choice = (criteria: object = {}, serviceConfig: unknown = A): object => ({ ...criteria, serviceConfig });
const record = (...choices: unknown[]): string => `grpc_config=${JSON.stringify(choices)}`;

type About = { readonly flag: string; readonly client?: Partial<Client>; readonly section?: string; readonly attribute?: ChoiceVector["attribute"] };
const vector = (
  note: string,
  { flag, client, section = "canarying-changes", attribute = "grpc_config" }: About,
  records: readonly string[],
  chosen: Config | null | "invalid",
): Draft => ({
  name: nameOf(note),
  note,
  spec: `rpc-config-dns#${section}`,
  records,
  attribute,
  client: { ...CLIENT, ...client },
  chosen: chosen === "invalid" ? null : chosen,
  result: chosen === "invalid" ? "invalid" : "valid",
  flags: [flag],
});
/** One choice with criteria, and whether it is for the client. */
const fits = (note: string, flag: string, criteria: object, isFor: boolean): Draft =>
  vector(note, { flag }, [record(choice(criteria))], isFor ? A : null);
/** A choice for a share of the clients, and whether it is for the client at a place among them. */
const shares = (note: string, percentage: number, percentile: number, isFor: boolean): Draft =>
  vector(note, { flag: "Percentage", client: { percentile } }, [record(choice({ percentage }))], isFor ? A : null);
const refused = (note: string, flag: string, ...choices: unknown[]): Draft => vector(note, { flag }, [record(...choices)], "invalid");
const TXT = { flag: "Record", section: "encoding-in-dns-txt-records" };

export const source: ChoiceSource = {
  about: "choices of a service config in TXT records: which one is for a client",
  spec: "rpc-config-dns#canarying-changes",
  flags: {
    Record: { why: "which record has the choices", bug: "WRONG_RESULT" },
    Order: { why: "the first choice that fits", bug: "WRONG_RESULT" },
    Criteria: { why: "languages and hostnames", bug: "WRONG_RESULT" },
    Percentage: { why: "the share of the clients, and its bounds", bug: "OFF_BY_ONE" },
    Form: { why: "choices that are invalid", bug: "MISSING_CHECK" },
    Config: { why: "the config of the choice that fits, which is invalid or has fields of the future", bug: "MISSING_CHECK" },
  },
  vectors: [
    vector("no record", TXT, [], null),
    vector("a record of somebody else", TXT, ["v=spf1 -all"], null),
    vector("the record is not the first one", TXT, ["v=spf1 -all", record(choice())], A),
    vector("an attribute that begins with the name", TXT, [`grpc_config2=${JSON.stringify([choice()])}`], null),
    vector("the attribute of the neutral dialect", { ...TXT, attribute: "rpc_config" }, [`rpc_config=${JSON.stringify([choice()])}`], A),
    vector("the attribute of the other dialect", { ...TXT, attribute: "rpc_config" }, [record(choice())], null),
    vector("an empty list", { flag: "Order" }, [record()], null),
    vector("the first of two that fit", { flag: "Order" }, [record(choice(), choice({}, B))], A),
    vector("the second if the first does not fit", { flag: "Order" }, [record(choice({ percentage: 0 }), choice({}, B))], B),
    fits("the language", "Criteria", { clientLanguage: ["node"] }, true),
    fits("the language in another case", "Criteria", { clientLanguage: ["NODE"] }, true),
    fits("one of several languages", "Criteria", { clientLanguage: ["go", "node"] }, true),
    fits("another language", "Criteria", { clientLanguage: ["go"] }, false),
    fits("an empty list of languages", "Criteria", { clientLanguage: [] }, true),
    fits("the hostname", "Criteria", { clientHostname: ["host-1"] }, true),
    fits("the hostname in another case", "Criteria", { clientHostname: ["HOST-1"] }, false),
    fits("one of several hostnames", "Criteria", { clientHostname: ["host-2", "host-1"] }, true),
    fits("a part of the hostname", "Criteria", { clientHostname: ["host"] }, false),
    fits("an empty list of hostnames", "Criteria", { clientHostname: [] }, true),
    fits("the language fits and the hostname does not", "Criteria", { clientLanguage: ["node"], clientHostname: ["host-2"] }, false),
    fits("all criteria fit", "Criteria", { clientLanguage: ["node"], clientHostname: ["host-1"], percentage: 51 }, true),
    shares("nobody", 0, 0, false),
    shares("one percent, and the first client", 1, 0, true),
    shares("one percent, and the second client", 1, 1, false),
    shares("half, and the last client of it", 50, 49, true),
    shares("half, and the first client of the other one", 50, 50, false),
    shares("everybody", 100, 99, true),
    refused("101 percent", "Percentage", choice({ percentage: 101 })),
    refused("a negative percentage", "Percentage", choice({ percentage: -1 })),
    refused("a fraction of a percent", "Percentage", choice({ percentage: 0.5 })),
    refused("a percentage as text", "Percentage", choice({ percentage: "50" })),
    vector("no JSON", { flag: "Form" }, ["grpc_config=[{"], "invalid"),
    vector("an object instead of a list", { flag: "Form" }, [`grpc_config=${JSON.stringify(choice())}`], "invalid"),
    refused("a choice that is a number", "Form", 7),
    refused("a field that is not known", "Form", choice({ clientRegion: ["x"] })),
    refused("a field that is not known in the choice after", "Form", choice(), choice({ clientRegion: ["x"] })),
    refused("a language that is a text", "Form", choice({ clientLanguage: "node" })),
    refused("a hostname that is a number", "Form", choice({ clientHostname: [1] })),
    refused("no config", "Form", { percentage: 100 }),
    refused("a config that is a list", "Form", choice({}, [])),
    refused("a config that is null", "Form", choice({}, null)),
    refused("no config in a choice that does not fit", "Form", { percentage: 0 }, choice()),
    refused("a known field of the config that is wrong", "Config", choice({}, { methodConfig: 7 })),
    vector("a field of the config that is not known", { flag: "Config" }, [record(choice({}, { ...A, fromTheFuture: 1 }))], { ...A, fromTheFuture: 1 }),
    vector("an empty config", { flag: "Config" }, [record(choice({}, {}))], {}),
  ],
};
