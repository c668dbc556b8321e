/** The octets of an address of IP, 4 or 16; undefined for what is not one. A zone (`%eth0`) is left out. */
export function ipOctets(text: string): Uint8Array | undefined {
  const [address = ""] = text.split("%", 1);
  if (!address.includes(":")) return version4(address);
  const halves = address.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map(groups);
  const missing = 16 - head.length - tail.length;
  const isWhole = halves.length === 1 ? missing === 0 : missing >= 2;
  if (!isWhole) return undefined;
  const octets = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return octets.every((octet) => octet >= 0) ? Uint8Array.from(octets) : undefined;
}

function version4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  const isGood = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return isGood ? Uint8Array.from(parts, Number) : undefined;
}

/** The octets of groups between colons; -1 for a malformed group. The last may be an address of version 4. */
function groups(text: string): readonly number[] {
  if (text === "") return [];
  const all = text.split(":");
  return all.flatMap((group, at) => {
    if (at === all.length - 1 && group.includes(".")) return [...(version4(group) ?? [-1])];
    const value = /^[0-9a-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16) : -1;
    return value < 0 ? [-1, -1] : [value >> 8, value & 0xff];
  });
}
