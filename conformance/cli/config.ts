/** The configuration file of `touchstone check`, for `touchstone.config.ts`. */
import type { Config } from "./settings.ts";

export type { Config, SubjectConfig } from "./settings.ts";

/** Gives the configuration its type, so that editors complete and check it. Returns it unchanged. */
export const defineConfig = (config: Config): Config => config;
