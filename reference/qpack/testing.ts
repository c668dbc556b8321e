/** For tests: octets from hexadecimal digits, which may be grouped by spaces. */
export const octets = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
