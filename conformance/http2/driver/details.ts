import { createHash } from "node:crypto";
import { representations, type ReadString, type Representation } from "../../wire/hpack/representations.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { printable } from "../../wire/octets.ts";
import type { Log, Seen } from "./log.ts";
import { isFrame } from "./sights.ts";

/**
 * What the subject's frames had besides what `describe.ts` lists: `--same-as` compares it with an earlier run. What time decides is left out:
 * the order of frames on different streams, how credit is divided, and the octets of PING.
 */

/** Fields whose values count; of every other field only the name and the coding do: its value may differ from run to run. */
const PROTOCOL: ReadonlySet<string> = new Set(
  ":status :method :scheme :path :protocol allow content-length content-type expect te trailer".split(" "),
);
/** Its value changes each second, and with it whether it is in the table. */
const CLOCK = "date";
/** The last index of the static table: those beyond it depend on what else is in the dynamic one. */
const STATIC = 61;
/** Streams of a connection that are described; of the others the last one is. */
const DESCRIBED = 5;
/** Characters of the details; of more there is a digest. */
const SHOWN = 600;

const coding = ({ huffman }: ReadString): string => (huffman ? "h" : "p");
const MODES = { incremental: "+", without: "", never: "!" } as const;
function form(one: Representation): string {
  if (one.is === "size update") return `s${one.size.value}`;
  const index = one.index.value > STATIC ? "d" : String(one.index.value);
  if (one.is === "indexed") return `i${index}`;
  return `${MODES[one.mode]}${one.name === undefined ? index : coding(one.name)}${coding(one.value)}`;
}

function sectionDetails({ of, promised, fields, block, problem }: Section, frame: ReadFrame): string {
  const names = fields.map(([name, value]) => (PROTOCOL.has(name) ? `${name}=${printable(value, 40)}` : printable(name, 40)));
  const { all } = representations(block);
  const updates = all.findIndex(({ is }) => is !== "size update");
  const forms = all.map((one, at) => (fields[at - updates]?.[0] === CLOCK ? CLOCK : form(one))).join(" ");
  const what = `${of}${promised === undefined ? "" : ` ${promised}`}${frame.priority === undefined ? "" : " priority"}`;
  return `${what} ${problem ?? names.join(" ")} {${forms}}`;
}

/** What a frame adds to the details of its stream. */
function frameDetails({ frame, section }: Extract<Seen, { is: "frame" }>): string | undefined {
  switch (frame.type) {
    case "SETTINGS":
      return frame.ack === true ? undefined : `SETTINGS ${(frame.settings ?? []).map((one) => one.join("=")).join(" ")}`;
    case "GOAWAY":
      return `GOAWAY ${frame.last} ${frame.code} ${printable(frame.text ?? "", 60)}`;
    case "RST_STREAM":
      return `RST_STREAM ${frame.code}`;
    case "HEADERS":
    case "PUSH_PROMISE":
    case "CONTINUATION":
      return section === undefined ? undefined : sectionDetails(section, frame);
    case "DATA":
    case "WINDOW_UPDATE":
    case "PING":
      return undefined;
    default:
      return `${frame.type} ${frame.length}`;
  }
}

/** The content of a stream, and how it ended. */
function contentDetails(frames: readonly ReadFrame[]): string[] {
  const data = frames.filter(({ type }) => type === "DATA");
  const octets = data.reduce((sum, one) => sum + (one.data?.length ?? 0), 0);
  const end = frames.find(({ endStream }) => endStream === true);
  const how = end === undefined ? "open" : end.type === "DATA" && end.length === 0 ? "ended by empty DATA" : `ended by ${end.type}`;
  return data.length === 0 && end === undefined ? [] : [`${octets} octets, ${how}`];
}

/** The window of the connection that the subject opens before anything else. */
function firstCredit(seen: readonly Extract<Seen, { is: "frame" }>[]): string[] {
  const first = seen.findIndex(({ frame }) => frame.stream !== 0);
  const updates = seen.slice(0, first === -1 ? seen.length : first).filter(({ frame }) => frame.type === "WINDOW_UPDATE");
  return updates.slice(0, 1).map(({ frame }) => `WINDOW_UPDATE ${frame.increment}`);
}

function connectionDetails(seen: readonly Extract<Seen, { is: "frame" }>[]): string {
  const streams = new Map<number, Extract<Seen, { is: "frame" }>[]>([[0, []]]);
  for (const one of seen) {
    const { stream } = one.frame;
    const those = streams.get(stream) ?? [];
    streams.set(stream, those);
    those.push(one);
  }
  const ids = [...streams.keys()].sort((a, b) => a - b);
  const described = ids.length > DESCRIBED ? [...ids.slice(0, DESCRIBED - 1), ...ids.slice(-1)] : ids;
  // A second GOAWAY comes before the end of the connection, or not.
  const goaway = seen.find(({ frame }) => frame.type === "GOAWAY");
  return described
    .map((id) => {
      const those = streams.get(id) ?? [];
      const credit = id === 0 ? firstCredit(seen) : contentDetails(those.map(({ frame }) => frame));
      const telling = those.filter((one) => one.frame.type !== "GOAWAY" || one === goaway);
      return `${id}: ${[...telling.flatMap((one) => frameDetails(one) ?? []), ...credit].join(", ")}`;
    })
    .join("; ");
}

/** The subject's frames on each of its connections. */
export function framesInDetail({ seen }: Pick<Log, "seen">): string {
  const frames = seen.filter(isFrame);
  const text = [...new Set(frames.map(({ on }) => on))].map((on) => connectionDetails(frames.filter((one) => one.on === on))).join(" | ");
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, SHOWN)}… (sha256 ${createHash("sha256").update(text).digest("hex").slice(0, 12)}…)`;
}
