/** A status message in its percent-encoding (rpc-http2#responses): everything but space, visible ASCII, and the percent sign itself. */
export const percentEncoded = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((octet) =>
      octet >= 0x20 && octet <= 0x7e && octet !== 0x25
        ? String.fromCharCode(octet)
        : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
