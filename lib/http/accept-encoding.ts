export type Coding = 'br' | 'gzip';

/** Those that answers come in; of two that a client likes alike the first is taken, because it makes less of text. */
const codings: readonly Coding[] = ['br', 'gzip'];

/**
 * The coding that an `Accept-Encoding` header likes best (RFC 9110 12.5.3); undefined when that is none. A coding whose weight
 * can't be read is not acceptable.
 */
export function preferredCoding(acceptEncoding: string): Coding | undefined {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weighted));
  let best: Coding | undefined;
  let most = weights.get('identity') ?? 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > most || (weight === most && weight > 0 && best === undefined)) {
      best = coding;
      most = weight;
    }
  }
  return best;
}

function weighted(element: string): [string, number] {
  const [coding = '', ...parameters] = element.split(';').map((part) => part.trim());
  if (parameters.length === 0) return [coding, 1];
  const weight = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters.join(';'))?.[1];
  return [coding, Number(weight ?? 0)];
}
