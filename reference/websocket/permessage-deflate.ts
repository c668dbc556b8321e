import { Misuse } from "../core/index.ts";
import type { Agreement } from "./deflate.ts";
import type { Extension, Parameter } from "./extensions.ts";

/** What two sides agree on about compression (rfc7692#7.1). */

export const PERMESSAGE_DEFLATE = "permessage-deflate";

/** What one side wants. `Takeover` false: each message of that sender stands for itself; `Bits`, 8 to 15: how large its window may be. */
export type DeflatePolicy = Partial<Agreement> & {
  /** Client: false leaves client_max_window_bits out of the offer, so that no server may limit our window (rfc7692#7.1.2.2). */
  readonly offersClientBits?: boolean;
};
type Wanted = Readonly<Required<DeflatePolicy>>;
const FULL: Wanted = { offersClientBits: true, serverTakeover: true, clientTakeover: true, serverBits: 15, clientBits: 15 };

/** The four parameters as they were given; `asked` is client_max_window_bits without a value, which only an offer may have. */
type Given = {
  readonly serverNoTakeover: boolean;
  readonly clientNoTakeover: boolean;
  readonly serverBits: number | undefined;
  readonly clientBits: number | "asked" | undefined;
};

/** Undefined where a parameter is unknown, stands twice, or has a value that it cannot have (rfc7692#7.1). */
function readParameters(parameters: readonly Parameter[], isOffer: boolean): Given | undefined {
  const found = new Map<string, string | true>();
  for (const [name, value] of parameters) {
    if (found.has(name)) return undefined;
    found.set(name, value);
  }
  const given = { serverNoTakeover: false, clientNoTakeover: false, serverBits: undefined, clientBits: undefined } as {
    -readonly [Key in keyof Given]: Given[Key];
  };
  for (const [name, value] of found) {
    switch (name) {
      case "server_no_context_takeover":
        if (value !== true) return undefined;
        given.serverNoTakeover = true;
        break;
      case "client_no_context_takeover":
        if (value !== true) return undefined;
        given.clientNoTakeover = true;
        break;
      case "server_max_window_bits":
        if ((given.serverBits = readBits(value)) === undefined) return undefined;
        break;
      case "client_max_window_bits":
        given.clientBits = value === true && isOffer ? "asked" : readBits(value);
        if (given.clientBits === undefined) return undefined;
        break;
      default:
        return undefined;
    }
  }
  return given;
}
/** 8 to 15 in decimal, without zeros in front (rfc7692#7.1.2). */
const readBits = (value: string | true): number | undefined =>
  value !== true && /^(?:[89]|1[0-5])$/.test(value) ? Number(value) : undefined;

/** What a client writes into its handshake: the one offer that says all that it wants. */
export function offerDeflate(policy: DeflatePolicy): Extension {
  const { serverTakeover, clientTakeover, serverBits, clientBits, offersClientBits } = wanted(policy);
  const parameters: Parameter[] = [];
  if (!serverTakeover) parameters.push(["server_no_context_takeover", true]);
  if (!clientTakeover) parameters.push(["client_no_context_takeover", true]);
  if (serverBits < 15) parameters.push(["server_max_window_bits", String(serverBits)]);
  if (offersClientBits) parameters.push(["client_max_window_bits", clientBits < 15 ? String(clientBits) : true]);
  return { name: PERMESSAGE_DEFLATE, parameters };
}

/** The server's answer to the first of the offers that it can take (rfc7692#5.1), with what is agreed; undefined where there is none. */
export function answerDeflate(
  offers: readonly Extension[],
  policy: DeflatePolicy,
): { readonly answer: Extension; readonly agreed: Agreement } | undefined {
  const own = wanted(policy);
  for (const { name, parameters } of offers) {
    const given = name === PERMESSAGE_DEFLATE ? readParameters(parameters, true) : undefined;
    if (given === undefined) continue;
    const hint = given.clientBits === "asked" ? 15 : given.clientBits;
    const agreed: Agreement = {
      serverTakeover: own.serverTakeover && !given.serverNoTakeover,
      clientTakeover: own.clientTakeover && !given.clientNoTakeover,
      serverBits: Math.min(own.serverBits, given.serverBits ?? 15),
      // Who has not said that it understands the parameter must not be given it (rfc7692#7.1.2.2).
      clientBits: hint === undefined ? 15 : Math.min(own.clientBits, hint),
    };
    const said: Parameter[] = [];
    if (!agreed.serverTakeover) said.push(["server_no_context_takeover", true]);
    if (!agreed.clientTakeover) said.push(["client_no_context_takeover", true]);
    if (agreed.serverBits < 15 || given.serverBits !== undefined) said.push(["server_max_window_bits", String(agreed.serverBits)]);
    if (agreed.clientBits < 15) said.push(["client_max_window_bits", String(agreed.clientBits)]);
    return { answer: { name: PERMESSAGE_DEFLATE, parameters: said }, agreed };
  }
  return undefined;
}

/** What a server's answer to `offerDeflate` agrees on; undefined where it is no answer to that (rfc7692#7.1). */
export function readDeflateAnswer({ parameters }: Extension, policy: DeflatePolicy): Agreement | undefined {
  const own = wanted(policy);
  const given = readParameters(parameters, false);
  if (given === undefined) return undefined;
  // What was asked of the server it has to promise.
  if (!own.serverTakeover && !given.serverNoTakeover) return undefined;
  if (own.serverBits < (given.serverBits ?? 15)) return undefined;
  if (!own.offersClientBits && given.clientBits !== undefined) return undefined;
  return {
    serverTakeover: !given.serverNoTakeover,
    clientTakeover: own.clientTakeover && !given.clientNoTakeover,
    serverBits: given.serverBits ?? 15,
    clientBits: Math.min(own.clientBits, (given.clientBits as number | undefined) ?? 15),
  };
}

function wanted(policy: DeflatePolicy): Wanted {
  const own = { ...FULL, ...policy };
  for (const bits of [own.serverBits, own.clientBits]) {
    if (!Number.isInteger(bits) || bits < 8 || bits > 15) throw new Misuse(`${bits} are no window bits: give 8 to 15 (rfc7692#7.1.2)`);
  }
  return own;
}
