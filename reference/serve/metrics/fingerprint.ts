import { createHash } from "node:crypto";

/** All settings of a section as text, secrets revealed: never shown, only compared. */
export function fingerprintOf(section: object): string {
  const text = JSON.stringify(section, function (this: Record<string, unknown>, key: string, value: unknown) {
    const raw = this[key];
    if (typeof raw === "bigint") return String(raw);
    return typeof raw === "object" && raw !== null && "reveal" in raw && typeof raw.reveal === "function"
      ? (raw.reveal() as string)
      : value;
  });
  return createHash("sha256").update(text).digest("hex");
}
