/** A field that every request has, however the case wrote the rest. */
export type RequestField = readonly [name: string, value: string];

/** The fields, in the lower case of HTTP/2 and HTTP/3, that a request does not have itself. */
export function lacking(own: readonly (readonly [name: string, ...unknown[]])[], fields: readonly RequestField[]): RequestField[] {
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  return fields.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => !names.has(name));
}
