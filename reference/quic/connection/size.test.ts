import { describe, expect, test } from "vitest";
import { pattern } from "../testing.ts";
import { CLIENT, count, endings, Rig, type Options } from "./testing.ts";

/** Datagrams that grow (rfc9000#14): a client sends over a path that carries no more than so many octets. */

const MEGABYTE = 1_000_000;

class Upload {
  readonly rig: Rig;
  /** Octets of the datagrams of the client, in their order. */
  readonly sizes: number[] = [];
  carries: number;
  readonly #got: () => number;

  constructor(carries: number, { client, ...options }: Options = {}) {
    this.carries = carries;
    this.rig = new Rig({ ...options, client: { largest: () => 65_507, ...client } });
    this.#got = count(this.rig).server;
    this.rig.meddle = (side, bytes) => {
      if (side === "client") this.sizes.push(bytes.length);
      return bytes.length > this.carries ? undefined : bytes;
    };
    this.rig.establish();
  }
  send(octets: number): this {
    const stream = this.rig.connection.open("bidirectional")!;
    const until = this.#got() + octets;
    this.rig.connection.send(stream, pattern(0, octets), true);
    this.rig.run(60_000, () => this.#got() >= until);
    return this;
  }
  get largest(): number {
    return Math.max(...this.sizes);
  }
  get outcome(): string {
    return `${this.#got()} ${endings(this.rig)}`;
  }
}

describe("the size of datagrams", () => {
  test("it grows to what the way out takes, once much is sent", () => {
    const upload = new Upload(65_507);
    expect(upload.send(10_000).largest).toBe(1_200);
    upload.send(2 * MEGABYTE);
    expect([upload.outcome, upload.largest]).toEqual([`${2 * MEGABYTE + 10_000} open / open`, 65_507]);
    const large = upload.sizes.filter((size) => size > 60_000).length;
    expect(large).toBeGreaterThan(15);
  });
  test.each([
    [16_384, 16_384],
    [9_000, 8_952],
    [1_500, 1_472],
    [1_420, 1_400],
    [1_250, 1_200],
  ])("a path that carries %i: %i", (carries, expected) => {
    const upload = new Upload(carries).send(3 * MEGABYTE);
    const arrived = upload.sizes.filter((size) => size <= carries);
    expect([upload.outcome, Math.max(...arrived)]).toEqual([`${3 * MEGABYTE} open / open`, expected]);
    // A size is tried once.
    expect(upload.sizes.length - arrived.length).toBeLessThan(9);
  });
  test("our own limit holds, and where nobody knows the way out nothing grows", () => {
    expect(new Upload(65_507, { client: { limits: { udpOctets: 1_400 } } }).send(MEGABYTE).largest).toBe(1_400);
    expect(new Upload(65_507, { client: { largest: () => 1_200 } }).send(MEGABYTE).largest).toBe(1_200);
  });
  test("a path that carries less than before: small datagrams arrive", () => {
    const upload = new Upload(65_507).send(2 * MEGABYTE);
    upload.carries = 1_300;
    upload.send(MEGABYTE);
    expect([upload.outcome, upload.sizes.at(-1)! <= 1_200]).toEqual([`${3 * MEGABYTE} open / open`, true]);
  });
  test.each([
    ["port", { ...CLIENT, port: 7 }],
    ["address", { host: "198.51.100.99", port: 7 }],
  ])("at another %s it begins anew", (_, address) => {
    const rig = new Rig({ server: { largest: () => 65_507 } }).establish();
    const got = count(rig).client;
    rig.accepted!.send(rig.accepted!.open("bidirectional")!, pattern(0, 4 * MEGABYTE), true);
    const sizes: Record<number, number[]> = { [CLIENT.port]: [], [address.port]: [] };
    rig.meddle = (side, bytes, { port }) => {
      if (side === "server") sizes[port]?.push(bytes.length);
      return bytes;
    };
    rig.run(60_000, () => got() > 2 * MEGABYTE);
    rig.clientAddress = address;
    rig.connection.send(rig.connection.open("unidirectional")!, pattern(0, 5_000), true);
    rig.run(60_000, () => rig.serverEvents.some(({ is }) => is === "migrated"));
    const early = Math.max(...sizes[address.port]!);
    rig.run(60_000, () => got() === 4 * MEGABYTE);
    expect([got(), endings(rig)]).toEqual([4 * MEGABYTE, "open / open"]);
    expect([CLIENT, address].map(({ port }) => Math.max(...sizes[port]!))).toEqual([65_507, 65_507]);
    expect(early).toBe(1_200);
  });
  test.each([1, 2, 3])("loss, reordering and duplication, %i", (seed) => {
    const weather = { loss: 0.05, jitterMs: 10, duplication: 0.02, corruption: 0.01 };
    expect(new Upload(65_507, { seed, weather }).send(MEGABYTE).outcome).toBe(`${MEGABYTE} open / open`);
  });
});
