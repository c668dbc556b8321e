import { field } from "../../../reference/core/index.ts";
import type { ExchangeId } from "../../../reference/http1/index.ts";
import type { Draw } from "./http1-draw.ts";
import { cut, Owner } from "./http1-owner.ts";

const LATER = "GET /later HTTP/1.1\r\nHost: a\r\n\r\n";
const FIRST = 1 as ExchangeId;

/** A server whose limits for content that is discarded, unread or held are met exactly, missed by one or passed by one. */
export function edgeLife(d: Draw): string {
  const size = d.between(1, 40);
  const arrived = d.below(size + 1);
  const near = (octets: number): number => Math.max(0, octets + d.of([-1, 0, 0, 1]));
  const chunked = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n0\r\n\r\n`;
  const [head, body] = d.often<readonly [string, string]>([
    [4, [`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n`, "x".repeat(size)]],
    [2, ["POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n", chunked]],
    [1, ["CONNECT b:1 HTTP/1.1\r\nHost: b:1\r\n", "x".repeat(size)]],
    [2, ["GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n", d.once(2) ? LATER : "x".repeat(size)]],
    [1, [`POST / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\nContent-Length: ${size}\r\n`, "x".repeat(size)]],
    [1, ["GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n", "x".repeat(size)]],
  ]);
  const expects = d.once(6) ? "Expect: 100-continue\r\n" : "";
  const owner = new Owner(d, {
    side: "server",
    limits: {
      discardOctets: d.once(3) ? near(size) : near(size - arrived),
      unreadOctets: Math.max(1, d.once(2) ? near(arrived) : near(size)),
      heldOctets: near(d.once(2) ? arrived : body.length),
      pipelined: d.between(1, 2),
      highWater: near(size),
      contentMs: 10,
      contentRate: d.of([1, 100, 1_000]),
      headMs: 20,
      idleMs: 30,
    },
  });
  const early = body.slice(0, arrived);
  if (d.once(2)) owner.hear(`${head}${expects}\r\n${early}`);
  else for (const piece of [`${head}${expects}\r\n`, early]) owner.hear(piece);
  for (let more = d.below(3); more > 0; more--) small(owner);
  const answer = d.below(4);
  if (answer === 0) owner.act("respond", () => owner.c.respond(FIRST, 200, [field("Content-Length", "0")], true));
  else if (answer === 1) {
    owner.act("respond", () => owner.c.respond(FIRST, d.of([200, 404]), d.once(4) ? [field("Connection", "close")] : [], false));
    owner.act("data", () => owner.c.data(FIRST, new Uint8Array(size), d.once(2)));
  } else if (answer === 2) {
    const status = head.startsWith("CONNECT") ? 200 : 101;
    owner.act(`switchTo ${status}`, () => owner.c.switchTo(FIRST, status, d.once(2) ? [field("Upgrade", "x")] : []));
  }
  for (const piece of cut(d, body.slice(arrived) + (d.once(2) ? LATER : ""))) {
    owner.hear(piece);
    if (d.once(4)) small(owner);
  }
  for (let more = d.below(5); more > 0; more--) small(owner);
  if (d.once(3)) owner.end();
  owner.act("respond", () => owner.c.respond(FIRST, 200, [field("Content-Length", "0")], true));
  owner.take();
  owner.wait();
  owner.tick();
  owner.take();
  return owner.report.finish();
}

function small(owner: Owner): void {
  const { d } = owner;
  const id = owner.exchange();
  d.often<() => void>([
    [3, () => owner.wait()],
    [3, () => owner.consume(id)],
    [2, () => owner.take()],
    [1, () => owner.act("interim", () => owner.c.interim(id, 100, []))],
    [1, () => owner.send(id)],
    [d.once(8) ? 1 : 0, () => owner.shutdown()],
  ])();
}
