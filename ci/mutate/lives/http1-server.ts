import { field } from "../../../reference/core/index.ts";
import type { HeadMemory } from "../../../reference/http1/index.ts";
import type { Draw } from "./http1-draw.ts";
import { damaged, request, textOf, type Message } from "./http1-messages.ts";
import { cut, Owner } from "./http1-owner.ts";
import { leniencies, limitsFor } from "./http1-setup.ts";

const STATUSES = [200, 200, 200, 404, 204, 304, 500, 299, 600, 999, 100, 101, 199, 1_000, 200.5, 99, 0, -1];

/** A server: what a client sends, and what the owner does with it. */
export function serverLife(d: Draw, memory?: HeadMemory): string {
  const first = request(d);
  const messages: Message[] = [first];
  // Repeated heads are compared with those before them.
  for (let more = d.below(5); more > 0; more--)
    messages.push(d.once(3) ? d.of(messages) : d.once(3) ? { ...d.of(messages), body: "" } : request(d));
  let text = messages.map(textOf).join("");
  if (d.once(5)) text = damaged(d, text);
  const owner = new Owner(d, {
    side: "server",
    limits: d.once(3) ? {} : limitsFor(d, d.once(2) ? first : d.of(messages)),
    lenient: leniencies(d),
    ...(d.once(4) ? { scheme: "https" } : {}),
    ...(d.once(4) ? { refusalFields: () => [field("Date", "now"), field("Content-Length", "3")] } : {}),
    ...(memory === undefined ? {} : { memory }),
  });
  const diligence = d.of([1, 2, 6, 30]);
  for (const piece of cut(d, text)) {
    owner.hear(piece);
    if (d.once(3)) act(owner);
    // A diligent owner answers requests as they come.
    if (!d.once(diligence)) while (owner.open.length > 0 && !d.once(4)) answer(owner);
    if (owner.isOver && d.once(2)) break;
  }
  for (let more = d.below(8); more > 0; more--) act(owner);
  if (d.once(2)) owner.end();
  for (let more = d.below(4); more > 0 || owner.open.length > 0; more--) {
    if (more < -6) break;
    answer(owner);
    owner.take();
  }
  owner.wait();
  owner.tick();
  owner.take();
  return owner.report.finish();
}

/** A response to the first open exchange. */
function answer(owner: Owner): void {
  const { d, c } = owner;
  const id = owner.exchange();
  respond(owner);
  const bytes = owner.content();
  if (d.once(2)) owner.act(`data ${id} ${bytes.length} true`, () => c.data(id, bytes, true));
  if (d.once(2)) owner.consume(id);
  if (d.once(2)) owner.take();
}
function respond(owner: Owner): void {
  const { d, c } = owner;
  const id = owner.exchange();
  const [status, fields, end] = [d.of(STATUSES), owner.fields(["0", "1", "3", "5", "16", "03"]), d.once(2)];
  owner.act(`respond ${id} ${status} ${JSON.stringify(fields)} ${end}`, () => c.respond(id, status, fields, end));
}
function act(owner: Owner): void {
  const { d, c } = owner;
  const id = owner.exchange();
  d.often<() => void>([
    [5, () => respond(owner)],
    [5, () => owner.send(id)],
    [2, () => owner.trail(id)],
    [
      2,
      () => {
        const [status, fields] = [d.of([100, 100, 100, 102, 103, 199, 101, 200, 99]), owner.fields(["3"])];
        owner.act(`interim ${id} ${status} ${JSON.stringify(fields)}`, () => c.interim(id, status, fields));
      },
    ],
    [
      2,
      () => {
        const [status, fields] = [d.of([101, 101, 101, 200, 200, 204, 299, 300, 404]), owner.fields()];
        owner.act(`switchTo ${id} ${status} ${JSON.stringify(fields)}`, () => c.switchTo(id, status, fields));
      },
    ],
    [3, () => owner.wait()],
    [3, () => owner.consume(id)],
    [4, () => owner.take()],
    [d.once(6) ? 1 : 0, () => owner.abandon(id)],
    [d.once(3) ? 1 : 0, () => owner.shutdown()],
    [d.once(6) ? 1 : 0, () => owner.end()],
    [d.once(12) ? 1 : 0, () => owner.act("request", () => c.request({ method: "GET", target: "/" }, [field("Host", "a")], true))],
  ])();
}
