import { Misuse } from "../core/index.ts";
import type { Agreement } from "./deflate.ts";
import type { Extension, Parameter } from "./extensions.ts";

export const PERMESSAGE_DEFLATE = "permessage-deflate";

/** What one side wants (rfc7692#7.1). `Takeover` false: each message of that sender is compressed by itself. `Bits`, 8 to 15: the size of its window. */
export type DeflatePolicy = Partial<Agreement> & {
  /** Client: false leaves client_max_window_bits out of the offer, so that the server may not limit our window (rfc7692#7.1.2.2). */
  readonly offersClientBits?: boolean;
};
type Wanted = Readonly<Required<DeflatePolicy>>;
const FULL: Wanted = { offersClientBits: true, serverTakeover: true, clientTakeover: true, serverBits: 15, clientBits: 15 };

/** The four parameters; `asked` is client_max_window_bits without a value, which only an offer may have. */
type Given = {
  readonly serverNoTakeover: boolean;
  readonly clientNoTakeover: boolean;
  readonly serverBits: number | undefined;
  readonly clientBits: number | "asked" | undefined;
};

/** Undefined if a parameter is unknown, repeated, or has an invalid value (rfc7692#7.1). */
function readParameters(parameters: readonly Parameter[], isOffer: boolean): Given | undefined {
  const found = new Map<string, string | true>();
  for (const [name, value] of parameters) {
    if (found.has(name)) return undefined;
    found.set(name, value);
  }
  const given: { -readonly [Key in keyof Given]: Given[Key] } = {
    serverNoTakeover: false,
    clientNoTakeover: false,
    serverBits: undefined,
    clientBits: undefined,
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
/** 8 to 15 in decimal, without leading zeros (rfc7692#7.1.2). */
const readBits = (value: string | true): number | undefined =>
  value !== true && /^(?:[89]|1[0-5])$/.test(value) ? Number(value) : undefined;

/** A client's only offer. */
export function offerDeflate(policy: DeflatePolicy): Extension {
  const { serverTakeover, clientTakeover, serverBits, clientBits, offersClientBits } = wanted(policy);
  const parameters: Parameter[] = [];
  if (!serverTakeover) parameters.push(["server_no_context_takeover", true]);
  if (!clientTakeover) parameters.push(["client_no_context_takeover", true]);
  if (serverBits < 15) parameters.push(["server_max_window_bits", String(serverBits)]);
  if (offersClientBits) parameters.push(["client_max_window_bits", clientBits < 15 ? String(clientBits) : true]);
  return { name: PERMESSAGE_DEFLATE, parameters };
}

/** A server's answer to the first acceptable offer (rfc7692#5.1), with the agreement; undefined if there is none. */
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
      // A client that has not offered the parameter must not receive it (rfc7692#7.1.2.2).
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

/** The agreement in a server's answer to `offerDeflate`; undefined if the answer does not fit the offer (rfc7692#7.1). */
export function readDeflateAnswer({ parameters }: Extension, policy: DeflatePolicy): Agreement | undefined {
  const own = wanted(policy);
  const given = readParameters(parameters, false);
  if (given === undefined) return undefined;
  // The server must accept what was asked of it.
  if (!own.serverTakeover && !given.serverNoTakeover) return undefined;
  if (own.serverBits < (given.serverBits ?? 15)) return undefined;
  if (!own.offersClientBits && given.clientBits !== undefined) return undefined;
  return {
    serverTakeover: !given.serverNoTakeover,
    clientTakeover: own.clientTakeover && !given.clientNoTakeover,
    serverBits: given.serverBits ?? 15,
    clientBits: Math.min(own.clientBits, typeof given.clientBits === "number" ? given.clientBits : 15),
  };
}

function wanted(policy: DeflatePolicy): Wanted {
  const own = { ...FULL, ...policy };
  for (const bits of [own.serverBits, own.clientBits]) {
    if (!Number.isInteger(bits) || bits < 8 || bits > 15) throw new Misuse(`window bits must be 8 to 15, not ${bits} (rfc7692#7.1.2)`);
  }
  return own;
}
