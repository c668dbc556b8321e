import type { PacketKeys } from "../../../reference/quic/index.ts";

/** The keys of 1-RTT packets and their updates, ours and the peer's (rfc9001#6). Nothing is forbidden here. */
export class Phases {
  #read: PacketKeys | undefined;
  #next: PacketKeys | undefined;
  #oldRead: PacketKeys | undefined;
  /** Whether packets with the keys before the last update are still read. */
  keepsOld = false;
  #write: PacketKeys | undefined;
  #oldWrite: PacketKeys | undefined;
  phase = 0;
  /** Phases that the peer has begun, of which one answers ours. */
  #theirs = 0;
  #ours = 0;

  firstRead(keys: PacketKeys): void {
    this.#read = keys;
    this.#next = keys.next();
  }
  firstWrite(keys: PacketKeys): void {
    this.#write = keys;
  }
  /** Our keys, or those before our last update. */
  writeOf(old: boolean): PacketKeys | undefined {
    return old ? this.#oldWrite : this.#write;
  }
  /** Keys that may open a packet, the usual ones first. */
  get candidates(): PacketKeys[] {
    return [this.#read, this.#next, this.keepsOld ? this.#oldRead : undefined].filter((keys) => keys !== undefined);
  }
  /** Begins a phase of ours. */
  update(): void {
    this.#oldWrite = this.#write;
    this.#write = this.#write?.next();
    this.#ours += 1;
    this.phase = 1 - this.phase;
  }
  /** These keys have opened a packet; true if that begins a phase of the peer. */
  opened(keys: PacketKeys, answers: boolean): boolean {
    if (keys !== this.#next) return false;
    this.#oldRead = this.#read;
    this.#read = keys;
    this.#next = keys.next();
    this.#theirs += 1;
    if (answers && this.#theirs > this.#ours) this.update();
    return true;
  }
}
