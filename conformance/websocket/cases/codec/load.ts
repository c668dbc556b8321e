import { requirementFiles } from "../../../harness/coverage.ts";
import { type Duty, owedLevel } from "../../../harness/levels.ts";
import { sectionOf } from "../../../harness/case.ts";
import { loadVectors } from "../../../../vectors/load.ts";
import type { Kind, Reading } from "../../../../vectors/websocket/question.ts";
import type { AnyVector } from "../../../../vectors/websocket/source/craft.ts";
import { refsOf } from "./rules.ts";
import type { CodecCase, Outcome, Step } from "../../codec-vocabulary.ts";

/** The cases for codecs: one for each vector of `vectors/websocket` that a requirement covers. */

const FILES = ["rfc-examples", "frames", "fragmentation", "close", "utf8", "deflate", "handshake-request", "handshake-response"] as const;
/** The subject matter of each file, in a title. */
const TITLES: Readonly<Record<(typeof FILES)[number], string>> = {
  "rfc-examples": "an example of the specification",
  frames: "frames",
  fragmentation: "fragments",
  close: "a Close frame",
  utf8: "text",
  deflate: "compressed messages",
  "handshake-request": "a handshake, as a server",
  "handshake-response": "a handshake response, as a client",
};
const FEATURE: Readonly<Record<Kind, string>> = {
  "websocket-frames": "frames",
  "websocket-request": "requests",
  "websocket-response": "responses",
};

type Twin = { readonly step: Step; readonly messages: Reading["messages"] };
/** What any codec with this operation can read: one short message, or the plainest handshake. */
function plain(step: Step): Twin {
  const key = "dGhlIHNhbXBsZSBub25jZQ==";
  const accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  switch (step.do) {
    case "websocket-frames": {
      const wire = step.to === "server" ? "818237fa213d5891" : "81026f6b";
      return { step: { ...step, wire }, messages: [{ text: "ok" }] };
    }
    case "websocket-request": {
      const octets = `GET /plain HTTP/1.1\r\nHost: server.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`;
      return { step: { do: step.do, octets, server: {} }, messages: [{ accept }] };
    }
    case "websocket-response": {
      const octets = `HTTP/1.1 101 Plain\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
      return { step: { do: step.do, octets, client: { key } }, messages: [{}] };
    }
  }
}

function stepOf(vector: AnyVector): Step {
  if ("wire" in vector) {
    const { to, wire, deflate } = vector;
    return { do: "websocket-frames", to, wire, ...(deflate === undefined ? {} : { deflate }) };
  }
  if ("server" in vector) return { do: "websocket-request", octets: vector.octets, server: vector.server };
  return { do: "websocket-response", octets: vector.octets, client: vector.client };
}

/** The strict outcome; where compression is negotiated, a server may also decline it (rfc7692#7.1). */
function allowedOf(file: string, { result, messages }: AnyVector): readonly [Outcome, ...Outcome[]] {
  if (result === "invalid") return [{ see: { see: "refused", messages } }];
  const strict: Outcome = { see: { see: "read", messages } };
  const [answer]: readonly Readonly<Record<string, unknown>>[] = messages;
  if (file !== "handshake-request" || answer?.["extensions"] === undefined) return [strict];
  const { extensions: _extensions, ...without } = answer;
  return [strict, { see: { see: "read", messages: [without] }, by: "rfc6455#9.1" }];
}

/** One case per vector that a requirement covers, in the order of the files; the ids contain the names of the vectors. */
export function codecCases(): CodecCase[] {
  const duties = new Map(
    requirementFiles().flatMap(({ spec, requirements }) => requirements.map((one): [string, Duty] => [`${spec}#${one.id}`, one])),
  );
  return FILES.flatMap((file) => {
    const vectors = loadVectors<AnyVector>(`websocket/${file}`);
    return vectors.vectors.flatMap((vector): CodecCase[] => {
      const covers = refsOf(file, vector);
      if (covers === undefined) return [];
      const step = stepOf(vector);
      const twin = plain(step);
      const what = `${TITLES[file]}: ${vector.note}`;
      return [
        {
          id: `websocket/codec-${file}-${vector.name}`,
          spec: sectionOf(covers[0]),
          covers,
          level: owedLevel(
            covers.flatMap((ref) => duties.get(ref) ?? []),
            "codec",
            vector.result === "invalid",
          ),
          role: "codec",
          title: `The codec ${vector.result === "invalid" ? "rejects" : "reads"} ${what}.`,
          needs: ["deflate" in vector ? "deflate" : FEATURE[step.do]],
          steps: [step],
          control: [twin.step],
          controlReads: twin.messages,
          allowed: allowedOf(file, vector),
        },
      ];
    });
  });
}
