/** Which names of labels and metrics are valid: any text, or the older rule (Prometheus docs, configuration/configuration.md). */
export type NameScheme = "utf8" | "legacy";

export const isLabelName = (name: string, scheme: NameScheme): boolean =>
  scheme === "legacy" ? /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) : name !== "" && name.isWellFormed() && !name.includes("\uFFFD");
