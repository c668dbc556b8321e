/**
 * One header or trailer field. An octet above 0x7f is the Latin-1 character with the same number, so that nothing is lost. `sensitive` keeps
 * the value out of compression tables on every hop (rfc7541#7.1.3).
 */
export type Field = { readonly name: string; readonly value: string; readonly sensitive: boolean };

export const field = (name: string, value: string, sensitive = false): Field => ({ name, value, sensitive });
