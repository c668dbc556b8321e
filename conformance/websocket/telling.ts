/**
 * What a library tells its program about the end of a connection (rfc6455#7.1.4, rfc6455#7.1.5, rfc6455#7.1.6), which no peer can see. A
 * program may report it: a server on request, a client on its standard output. Each report is one line, and its JSON may have more members
 * than these: what the library says of a fault, for example. They are shown, and not judged.
 */
export type Told = { readonly code: number; readonly reason: string; readonly clean: boolean };

/** The field of a handshake that names the connection for a later question; servers that have reported something before get it. */
export const NAME_FIELD = "Touchstone-Name";
/**
 * A server that gets this text message with a name after it sends, once the connection of that name has ended or its handshake has been
 * refused, the same with JSON after it, or with `null` if it knows no such connection.
 */
export const TOLD_REQUEST = "touchstone: told";

/** The report about this name. */
export const toldAbout = (name: string, report: object | null): string => `${TOLD_REQUEST} ${name} ${JSON.stringify(report)}`;
/** The JSON of a report about this name, or of a client's about its only connection; undefined if the text is something else. */
export function reportIn(text: string, name = "it"): string | undefined {
  const start = `${TOLD_REQUEST} ${name} `;
  const at = text.lastIndexOf(start);
  return at < 0 ? undefined : text.slice(at + start.length).split("\n", 1)[0];
}
/** What a report says; undefined if it lacks a member. */
export function toldIn(report: string | undefined): Told | undefined {
  try {
    const told = JSON.parse(report ?? "null") as Partial<Told> | null;
    const { code, reason, clean } = told ?? {};
    return typeof code === "number" && typeof reason === "string" && typeof clean === "boolean" ? { code, reason, clean } : undefined;
  } catch {
    return undefined;
  }
}
