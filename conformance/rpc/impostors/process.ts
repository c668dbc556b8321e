import { addressOctets, messageOfParts, type Part } from "../../wire/rpc/parts.ts";
import type { Counts, Page, Place, Secured, Shown, StandardFlaw } from "./standard-flaw.ts";

/** What an impostor shows of itself in channelz: its counts are right, and its flaw changes them when they are shown. */

const SERVER = 1;
const LISTENER = 2;
const FULL = 100;
const TIME: readonly [number, Part] = [1, 1_800_000_000];

const filled = (fields: readonly (readonly [number, Part | undefined])[]): Uint8Array =>
  messageOfParts(fields.flatMap(([number, value]) => (value === undefined || value === 0 ? [] : [[number, value] as const])));
const placed = ({ address, port }: Place): Uint8Array =>
  messageOfParts([
    [
      1,
      messageOfParts([
        [1, addressOctets(address) ?? new Uint8Array()],
        [2, port],
      ]),
    ],
  ]);
const window = (size: number): Uint8Array => messageOfParts([[1, size]]);

/** An answer of channelz: a message, or a status. */
export type Answered = Uint8Array | number;
const NOT_FOUND = 5;

export class ImpostorProcess {
  readonly #flaw: StandardFlaw;
  readonly #sockets = new Map<number, Shown>();
  readonly #gone = new Map<number, Shown>();
  readonly calls: { -readonly [Name in keyof Counts]: number } = { started: 0, succeeded: 0, failed: 0 };
  #listener: Shown | undefined;
  #last = LISTENER;

  constructor(flaw: StandardFlaw) {
    this.#flaw = flaw;
  }

  connected(local: Place, of: Pick<Shown, "remote" | "secured" | "windows">): Shown {
    this.#listener ??= { ...fresh(LISTENER, local), windows: of.windows };
    const shown = { ...fresh(++this.#last, local), ...of };
    this.#sockets.set(shown.id, shown);
    return shown;
  }
  left(shown: Shown): void {
    this.#sockets.delete(shown.id);
    this.#gone.set(shown.id, shown);
  }

  /** Calls a method with the numbers of its request, by field. */
  ask(method: string, number: (field: number) => number): Answered {
    const flaw = this.#flaw;
    switch (method) {
      case "GetServers": {
        const { ids, end } = this.#page([flaw.serverId?.(SERVER) ?? SERVER], { start: number(1), most: number(2) });
        return messageOfParts([...ids.map((id) => [1, this.#server(id)] as const), ...end]);
      }
      case "GetServerSockets": {
        const listed = [...(flaw.listsListener === true ? [LISTENER] : []), ...this.#sockets.keys()];
        const all = flaw.keepsSockets === true ? [...this.#gone.keys(), ...listed].toSorted((a, b) => a - b) : listed;
        const { ids, end } = this.#page(flaw.noSockets === true ? [] : all, { start: number(2), most: number(3) });
        return messageOfParts([...ids.map((id) => [1, messageOfParts([[3, flaw.socketId?.(id) ?? id]])] as const), ...end]);
      }
      case "GetTopChannels": {
        const { ids, end } = this.#page([], { start: number(1), most: number(2) });
        return ids.length > 0 ? NOT_FOUND : messageOfParts(end);
      }
      case "GetServer":
        return number(1) === SERVER || flaw.findsAnything === true ? messageOfParts([[1, this.#server(SERVER)]]) : NOT_FOUND;
      case "GetSocket":
        return this.#socket(number(1));
      default:
        return flaw.findsAnything === true ? new Uint8Array() : NOT_FOUND;
    }
  }

  #page(
    ids: readonly number[],
    { start, most }: Omit<Page, "ids">,
  ): { readonly ids: readonly number[]; readonly end: readonly (readonly [number, Part])[] } {
    // A negative number is a very large one on the wire.
    const from = start > Number.MAX_SAFE_INTEGER ? -1 : start;
    const page = this.#flaw.page?.({ ids, start: from, most }) ?? pageOf({ ids, start: from, most });
    return { ids: page.ids, end: page.end ? [[2, 1]] : [] };
  }

  #server(id: number): Uint8Array {
    const { started, succeeded, failed } = this.#flaw.counted?.(this.calls) ?? this.calls;
    const listening = this.#flaw.noListener === true ? undefined : messageOfParts([[3, LISTENER]]);
    return filled([
      [1, messageOfParts([[5, id]])],
      [
        2,
        filled([
          [2, started],
          [3, succeeded],
          [4, failed],
          [5, this.#time(started)],
        ]),
      ],
      [3, listening],
    ]);
  }
  #security(secured: Secured | undefined): Uint8Array | undefined {
    const right = this.#flaw.claimsTls === true ? { cipher: "TLS_AES_128_GCM_SHA256" } : secured;
    const shown = right === undefined || this.#flaw.secured === undefined ? right : this.#flaw.secured(right);
    if (shown === undefined) return undefined;
    const tls = filled([
      [1, shown.cipher],
      [3, shown.local],
      [4, shown.remote],
    ]);
    return messageOfParts([[1, tls]]);
  }
  #time(count: number): Uint8Array | undefined {
    return count === 0 || this.#flaw.noTimes === true ? undefined : messageOfParts([TIME]);
  }

  #socket(id: number): Answered {
    const flaw = this.#flaw;
    const known =
      id === LISTENER ? this.#listener : (this.#sockets.get(id) ?? (flaw.keepsSockets === true ? this.#gone.get(id) : undefined));
    const found = known ?? (flaw.findsAnything === true ? this.#listener : undefined);
    if (found === undefined) return NOT_FOUND;
    const { started, succeeded, failed, sent, received, local, remote, secured, windows } = flaw.shown?.(found) ?? found;
    const [granted, given] = flaw.windows?.(windows()) ?? windows();
    const data = filled([
      [1, started],
      [2, succeeded],
      [3, failed],
      [4, sent],
      [5, received],
      [7, flaw.localStreams === true ? messageOfParts([TIME]) : undefined],
      [8, this.#time(started)],
      [9, this.#time(sent)],
      [10, this.#time(received)],
      [11, window(granted)],
      [12, window(given)],
    ]);
    return messageOfParts([
      [
        1,
        filled([
          [1, messageOfParts([[3, flaw.otherSocketId === true ? found.id + 1 : found.id]])],
          [2, data],
          [3, placed(local)],
          [4, remote === undefined ? undefined : placed(remote)],
          [5, this.#security(secured)],
        ]),
      ],
    ]);
  }
}

const fresh = (id: number, local: Place): Omit<Shown, "windows"> => ({
  id,
  local,
  started: 0,
  succeeded: 0,
  failed: 0,
  bad: 0,
  sent: 0,
  received: 0,
});

/** A page as it should be. */
export function pageOf({ ids, start, most }: Page): { readonly ids: readonly number[]; readonly end: boolean } {
  const from = ids.filter((id) => id >= start);
  const page = from.slice(0, most === 0 ? FULL : most);
  return { ids: page, end: page.length === from.length };
}
