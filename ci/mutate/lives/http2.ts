import { after, instant, NEVER, type Instant } from "../../../reference/core/index.ts";
import { settingsPayload, type Options, type Side } from "../../../reference/http2/index.ts";
import { Chance } from "./chance.ts";
import { joined } from "./http2-frames.ts";
import { End } from "./http2-end.ts";
import { fields } from "./http2-messages.ts";
import { Owner } from "./http2-owner.ts";
import { Peer } from "./http2-peer.ts";
import { limitsOf, settingsOf, TOPICS, type Topic } from "./http2-setup.ts";

/** Lives of an HTTP/2 connection: one machine whose peer sends frames, or two machines that talk to each other. */

type Say = (line: string) => void;
const T0 = instant(1_000);

export function live(seed: number): string {
  const chance = new Chance(seed);
  const topic = chance.one(TOPICS);
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  if (chance.once(4)) talk(chance, topic, say);
  else meet(chance, topic, say);
  return lines.join("\n");
}

function optionsOf(chance: Chance, side: Side, topic: Topic): Options {
  const settings = settingsOf(chance, side, topic);
  const limits = limitsOf(chance, topic);
  const origins = ["http://a", "http://a:81"];
  return {
    side,
    settings,
    limits,
    ...(chance.once(3) ? { autoTune: true } : {}),
    ...(chance.once(4) ? { speaksFor: (origin: string) => origins.includes(origin) } : {}),
    ...(chance.once(3) ? { random: (into: Uint8Array) => into.fill(chance.below(256)) } : {}),
    ...(chance.once(20)
      ? {
          upgraded: {
            fields: fields([":method", "GET"], [":scheme", "http"], [":authority", "a"], [":path", "/"]),
            ...(side === "server" ? { settings: settingsPayload(settingsOf(chance, "client", topic)) } : {}),
          },
        }
      : {}),
  };
}
const optionsText = ({ side, settings, limits, autoTune = false, upgraded }: Options): string =>
  `${side} ${JSON.stringify(settings)} ${JSON.stringify(limits)}${autoTune ? " tuned" : ""}${upgraded === undefined ? "" : " upgraded"}`;

/** Time passes: a little, or up to the deadline, with one millisecond more or less. */
function later(
  chance: Chance,
  now: Instant,
  { deadline, isAboutTime }: { readonly deadline: Instant; readonly isAboutTime: boolean },
): Instant {
  if (deadline === NEVER || !chance.once(isAboutTime ? 3 : 20)) return after(now, chance.one([0, 1, 1, 2, 4, 10]));
  const at = after(deadline, chance.one([-1, 0, 0, 1]));
  return at > now ? at : now;
}

/** A machine and a peer that sends frames. */
function meet(chance: Chance, topic: Topic, say: Say): void {
  const side = chance.one(["server", "client"] as const);
  const peer = new Peer(side === "server" ? "client" : "server", chance, topic);
  const owner = new Owner(side, chance, topic);
  const options = optionsOf(chance, side, topic);
  say(optionsText(options));
  let now = T0;
  const end = new End(options, now, { say, onEvent: (event) => owner.hear(event) });
  let inbox: Uint8Array[] = peer.greeting();
  const take = (isAll: boolean): void => end.take(isAll).pieces.forEach((one) => peer.hear(one));
  take(true);
  if (!chance.once(4)) {
    deliver(chance, joined(inbox), (part) => end.receive(part, now));
    inbox = [];
  }
  const isAboutTime = topic.time === 3;
  let afterwards = 3;
  for (let left = chance.between(10, 60); left > 0 && afterwards > 0; left--) {
    if (end.isOver) afterwards -= 1;
    if (chance.once(topic.time ?? 8)) {
      now = later(chance, now, { deadline: end.deadline, isAboutTime });
      say(`at ${now}`);
      if (!chance.once(4)) end.tick(now);
    } else if (chance.once(2)) {
      for (let count = chance.one([1, 1, 1, 2, 3]); count > 0; count--) inbox.push(...peer.speak(say));
      const all = joined(inbox);
      const cut = chance.once(4) ? chance.below(all.length + 1) : all.length;
      inbox = cut < all.length ? [all.slice(cut)] : [];
      deliver(chance, all.subarray(0, cut), (part) => end.receive(part, now));
      say(`> ${cut}`);
    } else owner.act(end);
    if (topic.isQueued === true ? chance.once(4) : !chance.once(5)) take(topic.isQueued !== true && chance.once(3));
  }
  if (chance.once(3)) end.ended(now);
  take(true);
  end.close();
}

const MOST_STEPS = 300;
/** Octets arrive together, in parts, or one by one. */
function deliver(chance: Chance, octets: Uint8Array, receive: (part: Uint8Array) => void): void {
  const size = chance.once(12) && octets.length < MOST_STEPS ? 1 : chance.once(5) ? chance.between(1, octets.length + 1) : octets.length;
  for (let at = 0; at < octets.length; at += size) receive(octets.subarray(at, at + size));
}

/** A client and a server: what each sends arrives later and in parts. */
function talk(chance: Chance, topic: Topic, say: Say): void {
  let now = T0;
  const make = (side: Side) => {
    const owner = new Owner(side, chance, topic);
    const options = optionsOf(chance, side, topic);
    const { upgraded: _, ...usual } = options;
    const write = (line: string): void => say(`${side}: ${line}`);
    say(optionsText(usual));
    const end = new End(usual, now, { say: write, onEvent: (event) => owner.hear(event) });
    return { side, owner, end, wire: [] as Uint8Array[], write };
  };
  const ends = [make("client"), make("server")] as const;
  const take = (from: (typeof ends)[number], isAll: boolean): void => void from.wire.push(from.end.take(isAll).octets);
  const carry = (from: (typeof ends)[number], to: (typeof ends)[number], isAll: boolean): void => {
    if (from.wire.length === 0) take(from, isAll);
    const all = joined(from.wire);
    if (all.length === 0) return;
    const cut = isAll ? all.length : chance.below(all.length + 1);
    from.wire = cut < all.length ? [all.slice(cut)] : [];
    to.write(`> ${cut} octets`);
    deliver(chance, all.subarray(0, cut), (part) => to.end.receive(part, now));
  };
  if (!chance.once(4)) {
    carry(ends[0], ends[1], true);
    carry(ends[1], ends[0], true);
  }
  for (let left = chance.between(20, 100); left > 0; left--) {
    const [one, other] = chance.once(2) ? ends : ([ends[1], ends[0]] as const);
    if (chance.once(topic.time ?? 10)) {
      now = later(chance, now, { deadline: chance.once(2) ? one.end.deadline : after(now, 1), isAboutTime: topic.time === 3 });
      say(`at ${now}`);
      for (const { end } of ends) end.tick(now);
    } else if (chance.once(3)) carry(one, other, !chance.once(3));
    else if (chance.once(2)) take(one, chance.once(4));
    else one.owner.act(one.end);
  }
  for (let rounds = 4; rounds > 0; rounds--) {
    for (const { end, owner } of ends) owner.consumeAll(end);
    take(ends[0], true);
    carry(ends[0], ends[1], true);
    take(ends[1], true);
    carry(ends[1], ends[0], true);
  }
  for (const { end, write } of ends) {
    write("ends");
    end.close();
  }
}
