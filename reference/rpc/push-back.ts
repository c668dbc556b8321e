const LARGEST = 2_147_483_647;

/**
 * Reads the push-back of a server: the milliseconds to wait before the next attempt. `stop` for a negative number, and for anything that is not
 * a 32-bit integer in decimal without leading zeros: the server asks for no further attempt (rpc-retries#pushback).
 */
export function parsePushBack(value: string): number | "stop" {
  const ms = /^(?:0|[1-9][0-9]{0,9})$/.test(value) ? Number(value) : -1;
  return ms >= 0 && ms <= LARGEST ? ms : "stop";
}
