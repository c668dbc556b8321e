import { field } from "../../../reference/core/index.ts";
import type { HeadMemory } from "../../../reference/http1/index.ts";
import type { Draw } from "./http1-draw.ts";
import { damaged, response, textOf } from "./http1-messages.ts";
import { cut, Owner } from "./http1-owner.ts";
import { leniencies, limitsFor } from "./http1-setup.ts";

const METHODS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "X-NEW", "", "G T", "G\u00e9"];
const TARGETS = ["/", "/", "/abc?d", "*", "a:1", "http://a/", "/%20", "/%2", "", "/ a", "/\u00e9", '/"', "/#", "/{", "/\u0100"];

/** A client: what its owner asks, and what a server sends. */
export function clientLife(d: Draw, memory?: HeadMemory): string {
  // What the server is going to send decides the limits; the methods of the requests are those that it answers.
  const method = d.often<string>([
    [10, "GET"],
    [2, "HEAD"],
    [2, "CONNECT"],
    [4, "POST"],
  ]);
  const isSwitch = d.once(4);
  const answers = Array.from({ length: d.between(1, 4) }, () => response(d, { method, isSwitch }));
  const owner = new Owner(d, {
    side: "client",
    limits: d.once(3) ? {} : limitsFor(d, d.of(answers)),
    lenient: leniencies(d),
    ...(memory === undefined ? {} : { memory }),
  });
  if (!d.once(12)) ask(owner, method, isSwitch);
  if (d.once(4)) ask(owner, d.of(METHODS), false);
  if (d.once(3)) act(owner);
  let text = answers.map(textOf).join("");
  if (d.once(5)) text = damaged(d, text);
  const zeal = d.of([2, 4, 12]);
  for (const piece of cut(d, text)) {
    owner.hear(piece);
    if (d.once(4)) act(owner);
    if (owner.c.idle && !d.once(zeal)) ask(owner, method, isSwitch);
    if (owner.isOver && d.once(2)) break;
  }
  for (let more = d.below(6); more > 0; more--) act(owner);
  if (d.once(2)) owner.end();
  owner.take();
  owner.wait();
  owner.tick();
  if (d.once(3)) act(owner);
  owner.take();
  return owner.report.finish();
}

function ask(owner: Owner, method: string, isSwitch: boolean): void {
  const { d, c } = owner;
  const fields = owner.fields(["0", "3", "5", "16"]);
  if (!d.once(20)) fields.unshift(field(d.of(["Host", "host"]), "a"));
  if (isSwitch)
    fields.push(field("Connection", d.of(["upgrade", "x, Upgrade", "close, upgrade"])), field("Upgrade", d.of(["x", "x, Y", " "])));
  const target = method === "CONNECT" ? "a:1" : d.once(2) ? "/" : d.of(TARGETS);
  const end = !d.once(method === "CONNECT" ? 12 : 3);
  owner.act(`request ${method} ${JSON.stringify(target)} ${JSON.stringify(fields)} ${end}`, () => {
    const id = c.request({ method, target }, fields, end);
    owner.open.push(id);
    return id;
  });
  if (!end && d.once(2)) owner.send(owner.exchange());
}
function act(owner: Owner): void {
  const { d, c } = owner;
  const id = owner.exchange();
  d.often<() => void>([
    [3, () => ask(owner, d.of(METHODS), d.once(6))],
    [6, () => owner.send(id)],
    [2, () => owner.trail(id)],
    [3, () => owner.wait()],
    [3, () => owner.consume(id)],
    [4, () => owner.take()],
    [d.once(4) ? 1 : 0, () => owner.abandon(id)],
    [d.once(4) ? 1 : 0, () => owner.shutdown()],
    [d.once(4) ? 1 : 0, () => owner.end()],
    [d.once(12) ? 1 : 0, () => owner.act("respond", () => c.respond(id, 200, [], true))],
    [d.once(12) ? 1 : 0, () => owner.act("interim", () => c.interim(id, 100, []))],
    [d.once(12) ? 1 : 0, () => owner.act("switchTo", () => c.switchTo(id, 101, []))],
  ])();
}
