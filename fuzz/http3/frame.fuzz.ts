import { concatenated } from "../../reference/core/index.ts";
import { FrameReader } from "../../reference/http3/frame/reader.ts";
import { FRAMES, type FrameName } from "../../reference/http3/frame/type.ts";
import { frame } from "../../reference/http3/frame/write.ts";
import { readSettings, settingsPayload } from "../../reference/http3/settings.ts";
import { inputs, pieces, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

const MOST = 64;

type Read = {
  readonly units: string;
  readonly consumed: number;
  readonly frames: readonly { readonly name: FrameName; readonly payload: Uint8Array }[];
};

/** The frames of the pieces of a stream; neighbouring content of a frame is joined. */
function read(parts: Iterable<Uint8Array>): Read {
  const reader = new FrameReader(MOST);
  const units: unknown[] = [];
  const frames: { name: FrameName; payload: Uint8Array }[] = [];
  let [consumed, content, got] = [0, "", 0];
  const flush = (): void => {
    if (content !== "") units.push(content);
    content = "";
  };
  for (const part of parts) {
    reader.push(part);
    got += part.length;
    for (let unit = reader.next(); unit !== undefined; unit = reader.next()) {
      if (unit.is === "content") {
        content += Buffer.from(unit.octets).toString("hex");
        consumed += unit.octets.length;
        continue;
      }
      flush();
      units.push(shown(unit));
      if (unit.is === "frame") frames.push({ name: unit.name, payload: unit.payload.slice() });
      if (unit.is === "tooLarge") return { units: shown(units), consumed: 0, frames };
    }
    consumed += reader.takeConsumed();
    if (consumed + reader.held !== got) throw new Error(`of ${got} octets ${consumed} are read and ${reader.held} kept`);
  }
  flush();
  return { units: shown([...units, reader.isMidFrame]), consumed, frames };
}

/** Octets of a stream of frames. */
export const target: Target = {
  name: "http3/frame",
  about: "any octets are cut into the same frames wherever they are cut; frames and settings read the same after they are written",
  run(input) {
    const whole = read([input.slice()]);
    const chopped = read(pieces(input));
    if (shown(whole) !== shown(chopped)) throw new Error(`whole: ${shown(whole)}, chopped: ${shown(chopped)}`);
    const again = read([concatenated([new Uint8Array(0), ...whole.frames.map(({ name, payload }) => frame(name, payload))])]);
    if (shown(again.frames) !== shown(whole.frames))
      throw new Error(`${shown(whole.frames)} reads as ${shown(again.frames)} after writing`);
    for (const { name, payload } of whole.frames) {
      const settings = name === "SETTINGS" ? readSettings(payload) : undefined;
      if (settings === undefined || "is" in settings) continue;
      const written = readSettings(settingsPayload(settings));
      if (shown(written) !== shown(settings)) throw new Error(`${shown(settings)} reads as ${shown(written)} after writing`);
    }
  },
  seeds: inputs(
    "04 06 01 5000 07 10 33",
    "04 0a 06 4400 08 01 33 01 21 00 01 4064",
    "01 03 0000d1 00 05 68656c6c6f 01 02 0000",
    "0d 01 08 03 01 00 07 01 04 800f0700 04 00 753d31",
    "21 03 aabbcc 00 00 00 01 61",
    "05 03 00 0000 02 00 06 00",
    `${Object.keys(FRAMES).length.toString(16).padStart(2, "0")} 00`,
    "4001 4002 0000 01 4041",
  ),
  dictionary: inputs("800f0700", "800f0701", "c000000000000021", "4040", "4041", "0106", "0133"),
  maxLength: 200,
};
