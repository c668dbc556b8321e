import type { Command } from "commander";
import { type Kind, REPORTS, SETTINGS } from "./settings.ts";

const SHAPES: Readonly<Record<Kind, object>> = {
  text: { type: "string", minLength: 1 },
  texts: {
    anyOf: [
      { type: "string", minLength: 1 },
      { type: "array", items: { type: "string", minLength: 1 } },
    ],
  },
  flag: { type: "boolean" },
  number: { type: "integer", minimum: 0 },
  time: { type: "string", pattern: "^\\d{1,9}(ms|s|m)$" },
};

/** The JSON schema of configuration files, from the table of settings, with the descriptions of the command's flags. */
export function configSchema(command: Command, suites: readonly string[]): object {
  const about = (name: string): string | undefined => command.options.find((one) => one.attributeName() === name)?.description;
  const properties = (table: Readonly<Record<string, Kind>>): object =>
    Object.fromEntries(Object.entries(table).map(([name, kind]) => [name, { description: about(name) ?? ABOUT[name], ...SHAPES[kind] }]));
  const suite = { enum: suites };
  const own = {
    suite: { description: "The suites that judge it: one run for each.", anyOf: [suite, { type: "array", minItems: 1, items: suite }] },
    options: {
      description: "The flags that only these suites have.",
      type: "object",
      additionalProperties: { type: ["string", "integer"] },
    },
  };
  const subject = { type: "object", required: ["suite"], additionalProperties: false, properties: { ...own, ...properties(SETTINGS) } };
  const { url: _, ...shared } = SETTINGS;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:touchstone:schema:config",
    title: "A configuration file of touchstone check",
    type: "object",
    required: ["subjects"],
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      subjects: { description: "What is judged, by name.", type: "object", minProperties: 1, additionalProperties: subject },
      defaults: {
        description: "Settings of every subject that does not have its own.",
        type: "object",
        additionalProperties: false,
        properties: properties(shared),
      },
      reports: {
        description: "The reports of all subjects together.",
        type: "object",
        additionalProperties: false,
        properties: properties(REPORTS),
      },
    },
  };
}

/** Settings that are an argument of the command, not a flag. */
const ABOUT: Readonly<Record<string, string>> = { url: "The address of a server: http://, https://, ws:// or wss://." };
