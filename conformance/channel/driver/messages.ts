import type { Json } from "./line.ts";

/** The form of text messages (section 2.2), written apart from the reference. */

/** Who sends a message. */
export type Sender = "agent" | "client" | "hub";
type Form = Readonly<Record<string, (value: unknown) => boolean>>;

const MOST_OFFSET = 2 ** 53 - 1;
const MOST_STATUS = 2 ** 31 - 1;
const NAME = /^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/i;

const number =
  (least: number, most: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const text = (value: unknown): value is string => typeof value === "string";
const boolean = (value: unknown): boolean => typeof value === "boolean";
const name = (value: unknown): boolean => text(value) && NAME.test(value);
const offset = number(0, MOST_OFFSET);
const cells = number(1, 1_000);

const BEAT: Form = { id: offset };
const ACK: Form = { offset };
const SIZE: Form = { cols: cells, rows: cells };
const EXIT: Form = {
  code: number(-MOST_STATUS, MOST_STATUS),
  signal: (value) => value === null || number(1, 128)(value),
  again: boolean,
};
const STATE: Form = {
  ...SIZE,
  session: name,
  run: (value) => value === "" || name(value),
  agent: (value) => value === "here" || value === "gone" || value === "exited",
  from: offset,
  screen: offset,
  end: offset,
  input: offset,
  known: boolean,
  window: offset,
  clients: offset,
  owner: boolean,
};
const BOTH = { ack: ACK, ping: BEAT, pong: BEAT } as const;
const FORMS: Readonly<Record<Sender, Readonly<Record<string, Form>>>> = {
  agent: { ...BOTH, offer: { ...SIZE, from: offset, end: offset, input: offset }, exit: EXIT },
  client: { ...BOTH, resize: SIZE, start: {}, own: {} },
  hub: { ...BOTH, state: STATE, resize: SIZE, exit: EXIT, start: {}, error: { code: text, message: text } },
};

/** Whether a text message has a type that its sender may send, and each of the members, in its range. */
export function isWellFormed(message: Json, sender: Sender): boolean {
  const form = Object.entries(FORMS[sender]).find(([type]) => type === message["type"])?.[1];
  return form !== undefined && Object.entries(form).every(([member, fits]) => fits(message[member]));
}
