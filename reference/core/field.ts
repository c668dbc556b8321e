/**
 * One header or trailer field. Octets above 0x7f appear as the Latin-1 character of the same number, so nothing is lost.
 * `sensitive` asks every hop to keep the value out of compression tables (rfc7541#7.1.3).
 */
export type Field = { readonly name: string; readonly value: string; readonly sensitive: boolean };

export const field = (name: string, value: string, sensitive = false): Field => ({ name, value, sensitive });
