import { type DialectName, permittedOf, inDialect, type Sight } from "../../../../vectors/rpc/question.ts";
import { type Kind, READINGS, type Told, WRITINGS } from "../../../../vectors/rpc/source/craft.ts";
import type { Step } from "../../codec-vocabulary.ts";

/** What any codec with this operation can read or write: the controls of all cases. */

export type Twin = { readonly step: Step; readonly see: Sight };

type Plain = { readonly given: unknown; readonly messages: readonly Told[] };
const READ: Readonly<Record<string, Plain>> = {
  timeout: { given: "7S", messages: [{ nanoseconds: "7000000000" }] },
  message: { given: "plain", messages: [{ text: "plain" }] },
  "content-type": { given: "application/rpc+twin", messages: [{ format: "twin" }] },
  metadata: {
    given: [
      ["twin", "plain"],
      ["twin-bin", "AQID"],
    ],
    messages: [
      { name: "twin", text: "plain" },
      { name: "twin-bin", octets: "010203" },
    ],
  },
  status: {
    given: {
      http: 200,
      fields: [
        ["rpc-status", "0"],
        ["twin", "plain"],
      ],
    },
    messages: [{ code: 0 }],
  },
  reset: { given: 8, messages: [{ code: 1 }] },
  "push-back": { given: "7", messages: [{ ms: 7 }] },
};
const WRITE: Readonly<Record<string, Plain>> = {
  timeout: { given: "7000000000", messages: [{ text: "7S" }] },
  message: { given: "plain", messages: [{ text: "plain" }] },
  metadata: { given: [{ name: "twin", text: "plain" }], messages: [{ name: "twin", value: "plain" }] },
  encoding: { given: { wanted: "identity", accepts: "identity" }, messages: [{ encoding: "identity" }] },
  status: { given: { status: "UNKNOWN", text: "twin" }, messages: [{ name: "rpc-status", value: "2" }] },
  stream: { given: ["7477696e"], messages: [{ octets: "00000000047477696e" }] },
};
const PLAIN = { cuts: ["0000000005706c61696e"], messages: [{ octets: "706c61696e" }] };

/** A message in each encoding. */
export const COMPRESSED: Readonly<Record<string, string>> = {
  gzip: "1f8b08000000000002ffcbc80400ac2a93d802000000",
  deflate: "789ccbc80400013b00d2",
  zstd: "28b52ffd20021100006869",
};

/** The same operation with the plainest input. */
export function twinOf(
  kind: Kind,
  { side, of = "" }: { readonly side?: "server" | "client"; readonly of?: string },
  dialect: DialectName,
): Twin {
  if (kind === "rpc-messages")
    return {
      step: { do: kind, side: side ?? "server", cuts: PLAIN.cuts, ended: true },
      see: { see: "read", messages: PLAIN.messages },
    };
  const plain = (kind === "rpc-read" ? READ : WRITE)[of];
  if (plain === undefined) throw new Error(`no twin is known for ${kind} of ${of}`);
  const [{ see }] = permittedOf(kind, { ...plain, of, result: "valid" }, dialect);
  return { step: { do: kind, of, dialect, given: inDialect(plain.given, dialect) } as Step, see };
}

/** One request for each feature of a codec: those of the driver before all cases. */
export const firstSteps = (dialect: DialectName): Readonly<Record<string, Step>> => ({
  messages: twinOf("rpc-messages", {}, dialect).step,
  ...Object.fromEntries(
    Object.entries(COMPRESSED).map(([encoding, octets]): [string, Step] => {
      const head = `01${(octets.length / 2).toString(16).padStart(8, "0")}`;
      return [encoding, { do: "rpc-messages", side: "server", cuts: [`${head}${octets}`], ended: true, encoding }];
    }),
  ),
  ...Object.fromEntries(READINGS.map((of) => [`read-${of}`, twinOf("rpc-read", { of }, dialect).step])),
  ...Object.fromEntries(WRITINGS.map((of) => [`write-${of}`, twinOf("rpc-write", { of }, dialect).step])),
});
