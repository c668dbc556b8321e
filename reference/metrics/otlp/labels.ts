import { compareText, METRIC_NAME } from "../model/index.ts";
import type { Attributes, Scope } from "./message.ts";
import { labelName, type Naming } from "./names.ts";

/** How resources and scopes become labels (Prometheus docs, configuration/configuration.md, `otlp`). */
export type LabelSettings = {
  readonly naming: Naming;
  /** Whether an attribute of a resource becomes a label of each of its series. */
  readonly isPromoted: (attribute: string) => boolean;
  readonly promotesScope: boolean;
};

/** The attributes that identify a resource: they become job and instance. */
const SERVICE = { name: "service.name", namespace: "service.namespace", instance: "service.instance.id" } as const;
export const IDENTIFYING: ReadonlySet<string> = new Set(Object.values(SERVICE));

/** Labels by name; several attributes with one name share it, their values joined in the order of the attributes. */
export type LabelMap = Map<string, string>;

export function attributeLabels(attributes: Attributes, naming: Naming): LabelMap {
  const labels: LabelMap = new Map();
  for (const [attribute, value] of [...attributes].sort(([a], [b]) => compareText(a, b))) {
    const name = labelName(attribute, naming);
    if (name === "") continue;
    const before = labels.get(name);
    labels.set(name, before === undefined ? value : `${before};${value}`);
  }
  return labels;
}

/** Job and instance of a resource. */
export function identity(resource: Attributes): LabelMap {
  const labels: LabelMap = new Map();
  const name = resource.get(SERVICE.name);
  const namespace = resource.get(SERVICE.namespace);
  const instance = resource.get(SERVICE.instance);
  if (name !== undefined) labels.set("job", namespace === undefined ? name : `${namespace}/${name}`);
  if (instance !== undefined) labels.set("instance", instance);
  return labels;
}

/** The labels that all series of a resource and a scope share. Those of a point win over them, except for job and instance. */
export class SharedLabels {
  readonly #settings: LabelSettings;
  readonly #identity: LabelMap;
  readonly #weak: LabelMap;

  constructor(resource: Attributes, scope: Scope, settings: LabelSettings) {
    this.#settings = settings;
    this.#identity = identity(resource);
    const { naming, isPromoted, promotesScope } = settings;
    const promoted = new Map([...resource].filter(([name]) => isPromoted(name)));
    this.#weak = new Map([...attributeLabels(promoted, naming), ...(promotesScope ? scopeLabels(scope, naming) : [])]);
  }

  /** The labels of a series; `more` wins over all others. */
  of(metric: string, attributes: Attributes, more: readonly (readonly [string, string])[] = []): LabelMap {
    const own = attributeLabels(attributes, this.#settings.naming);
    return new Map([...this.#weak, ...own, ...this.#identity, ...more, [METRIC_NAME, metric]]);
  }
}

function scopeLabels({ name, version, schemaUrl, attributes }: Scope, naming: Naming): LabelMap {
  const prefixed = new Map([...attributes].map(([attribute, value]) => [`otel_scope_${attribute}`, value]));
  return new Map([
    ...attributeLabels(prefixed, naming),
    ["otel_scope_name", name],
    ["otel_scope_version", version],
    ["otel_scope_schema_url", schemaUrl],
  ]);
}
