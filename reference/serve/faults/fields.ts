import { field, type Field } from "../../core/index.ts";
import type { AnyUnit, Fault, kitOf, Line } from "./fault.ts";

/** The beginning of a message of HTTP/2 or HTTP/3. */
type Head<Unit extends AnyUnit> = Unit & { readonly fields: readonly Field[] };

/** Field sections of HTTP/2 and HTTP/3 that make a message malformed. */
export function fieldFaults<Unit extends AnyUnit, Begins extends Head<Unit>, On extends Line<Unit>>(
  kit: ReturnType<typeof kitOf<Unit, Begins, On>>,
): readonly Fault<Unit, On>[] {
  const own = kit.side === "server" ? ":status" : ":path";
  const adding = (name: string, title: string, change: (fields: readonly Field[]) => readonly Field[]): Fault<Unit, On> =>
    kit.define(name, {
      title,
      args: kit.messages,
      start: (messages) => kit.onMessage(messages, (head, pass) => pass({ ...head, fields: change(head.fields) })),
    });
  return [
    adding("upper-case-field", `sends a ${kit.message} with a field name in upper case`, (fields) => [...fields, field("X-Fault", "yes")]),
    adding("connection-field", `sends a ${kit.message} with the field Connection, which only HTTP/1.1 has`, (fields) => [
      ...fields,
      field("connection", "close"),
    ]),
    adding(
      "late-pseudo-field",
      `sends a ${kit.message} with ${own === ":status" ? own : "pseudo-header fields"} after another field`,
      (fields) => [field("x-fault", "yes"), ...fields],
    ),
    adding("unknown-pseudo-field", `sends a ${kit.message} with an undefined pseudo-header field`, (fields) => [
      field(":fault", "yes"),
      ...fields,
    ]),
    adding(kit.side === "server" ? "no-status" : "no-path", `sends a ${kit.message} without ${own}`, (fields) =>
      fields.filter(({ name }) => name !== own),
    ),
    adding(kit.side === "server" ? "two-statuses" : "two-paths", `sends a ${kit.message} with ${own} twice`, (fields) => [
      ...fields.filter(({ name }) => name === own),
      ...fields,
    ]),
    adding("false-length", `sends a ${kit.message} whose Content-Length differs from its content`, (fields) => {
      const others = fields.filter(({ name }) => name !== "content-length");
      const said = Number(fields.find(({ name }) => name === "content-length")?.value ?? 0);
      return [...others, field("content-length", String(said + 1))];
    }),
  ];
}
