import { vectorFile, writeFiles } from "../write.ts";
import type { BalancingSource } from "./source/balancing-steps.ts";
import type { BreakingSource } from "./source/breaking/craft.ts";
import { type AttemptSource, source as attempts } from "./source/attempts.ts";
import { source as breakingEnums } from "./source/breaking/enums.ts";
import { source as breakingExtensions } from "./source/breaking/extensions.ts";
import { source as breakingFields } from "./source/breaking/fields.ts";
import { source as breakingFiles } from "./source/breaking/files.ts";
import { source as breakingOneofs } from "./source/breaking/oneofs.ts";
import { source as breakingServices } from "./source/breaking/services.ts";
import { type ChoiceSource, source as configChoices } from "./source/config-choices.ts";
import { source as compressed } from "./source/compressed.ts";
import type { Source } from "./source/craft.ts";
import { source as envelopes, written as envelopesWritten } from "./source/envelopes.ts";
import { contentTypes, encodings, pushBacks } from "./source/fields.ts";
import type { LintSource } from "./source/lint/craft.ts";
import { source as lintRules } from "./source/lint/rules.ts";
import { source as metadata, written as metadataWritten } from "./source/metadata.ts";
import { type OutlierSource, source as outliers } from "./source/outliers.ts";
import { source as statusMessages, written as statusMessagesWritten } from "./source/status-messages.ts";
import { source as scaling, type ScalingSource } from "./source/scaling.ts";
import { type ConfigSource, source as serviceConfigs } from "./source/service-configs.ts";
import { source as pickFirst } from "./source/pick-first.ts";
import { source as roundRobin } from "./source/round-robin.ts";
import { resets, source as statuses, written as statusesWritten } from "./source/statuses.ts";
import { source as timeouts, written as timeoutsWritten } from "./source/timeouts.ts";

/** `node vectors/rpc/make.ts` writes the vector files from their sources; a test fails if they are out of date. */

export const SOURCES = {
  envelopes,
  compressed,
  timeouts,
  "timeouts-written": timeoutsWritten,
  "status-messages": statusMessages,
  "status-messages-written": statusMessagesWritten,
  metadata,
  "metadata-written": metadataWritten,
  statuses,
  resets,
  "content-types": contentTypes,
  "push-backs": pushBacks,
  encodings,
  "envelopes-written": envelopesWritten,
  "statuses-written": statusesWritten,
} as const satisfies Readonly<Record<string, Source>>;

/** Pairs of contracts. No codec is asked about them. */
export const PAIRS = {
  "breaking-fields": breakingFields,
  "breaking-oneofs": breakingOneofs,
  "breaking-enums": breakingEnums,
  "breaking-services": breakingServices,
  "breaking-files": breakingFiles,
  "breaking-extensions": breakingExtensions,
} as const satisfies Readonly<Record<string, BreakingSource>>;

/** Contracts and their style. No codec is asked about them. */
export const STYLES = { "lint-rules": lintRules } as const satisfies Readonly<Record<string, LintSource>>;

/** Lives of a policy. No codec is asked about them. */
export const LIVES = { outliers } as const satisfies Readonly<Record<string, OutlierSource>>;

/** Choices of a published config. No codec is asked about them. */
export const CHOICES = { "config-choices": configChoices } as const satisfies Readonly<Record<string, ChoiceSource>>;

/** Service configs, and what they say. No codec is asked about them. */
export const CONFIGS = { "service-configs": serviceConfigs } as const satisfies Readonly<Record<string, ConfigSource>>;

/** Lives of the policies for further attempts. No codec is asked about them. */
export const ATTEMPTS = { attempts } as const satisfies Readonly<Record<string, AttemptSource>>;

/** Lives of the policies that spread calls. No codec is asked about them. */
export const BALANCING = { "pick-first": pickFirst, "round-robin": roundRobin } as const satisfies Readonly<
  Record<string, BalancingSource>
>;

/** Lives of connections to one address. No codec is asked about them. */
export const SCALING = { scaling } as const satisfies Readonly<Record<string, ScalingSource>>;

/** The content of the file of a source. */
export const fileOf = (source: Source): string => vectorFile(source.kind, source);
export const pairsOf = (source: BreakingSource): string => vectorFile("rpc-breaking", source);
export const livesOf = (source: OutlierSource): string => vectorFile("rpc-outliers", source);
export const choicesOf = (source: ChoiceSource): string => vectorFile("rpc-config-choice", source);
export const configsOf = (source: ConfigSource): string => vectorFile("rpc-service-config", source);
export const attemptsOf = (source: AttemptSource): string => vectorFile("rpc-attempts", source);
export const balancingOf = (source: BalancingSource): string => vectorFile("rpc-balancing", source);
export const scalingOf = (source: ScalingSource): string => vectorFile("rpc-scaling", source);
export const stylesOf = (source: LintSource): string => vectorFile("rpc-lint", source);

if (import.meta.main) {
  writeFiles<Source>(import.meta.dirname, SOURCES, (_, source) => fileOf(source));
  writeFiles<BreakingSource>(import.meta.dirname, PAIRS, (_, source) => pairsOf(source));
  writeFiles<LintSource>(import.meta.dirname, STYLES, (_, source) => stylesOf(source));
  writeFiles<OutlierSource>(import.meta.dirname, LIVES, (_, source) => livesOf(source));
  writeFiles<ChoiceSource>(import.meta.dirname, CHOICES, (_, source) => choicesOf(source));
  writeFiles<ConfigSource>(import.meta.dirname, CONFIGS, (_, source) => configsOf(source));
  writeFiles<AttemptSource>(import.meta.dirname, ATTEMPTS, (_, source) => attemptsOf(source));
  writeFiles<BalancingSource>(import.meta.dirname, BALANCING, (_, source) => balancingOf(source));
  writeFiles<ScalingSource>(import.meta.dirname, SCALING, (_, source) => scalingOf(source));
}
