/** The query API of the server that these pages come from. Addresses are relative, so that a proxy may add a prefix. */

/** A refusal of the API, or the reason why there is no answer. */
class Refused extends Error {
  override readonly name = "Refused";
}

/** The data of a successful answer with its annotations. */
export type Answered<T> = { readonly data: T; readonly warnings: readonly string[]; readonly infos: readonly string[] };

type Envelope<T> = {
  readonly status: "success" | "error";
  readonly data?: T;
  readonly error?: string;
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
};

/** Rejects with `Refused`, and with an `AbortError` once `signal` is aborted. A query with `form` is sent by POST: it may be long. */
export async function ask<T>(
  path: string,
  { signal, form }: { readonly signal?: AbortSignal; readonly form?: Readonly<Record<string, string>> } = {},
): Promise<Answered<T>> {
  const sent = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const response = await fetch(`api/v1/${path}`, { ...sent, ...(signal !== undefined && { signal }) }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Refused("The server does not answer.");
  });
  const text = await response.text();
  const { status, data, error, warnings = [], infos = [] } = envelopeOf<T>(text, response.status);
  if (status !== "success") throw new Refused(error ?? `The server answers with ${response.status}.`);
  return { data: data as T, warnings, infos };
}

function envelopeOf<T>(text: string, status: number): Envelope<T> {
  try {
    return JSON.parse(text) as Envelope<T>;
  } catch {
    throw new Refused(`The server answers with ${status} and no JSON.`);
  }
}
