/** Bytes of a document of the provider. What is longer is no description and no set of keys: they have some thousands. */
const mostBytes = 1_048_576;

/** Each token that names no key is compared with all of them. */
const mostKeys = 100;

/** What a public key is made of, and when it applies (RFC 7517 4, RFC 7518 6); certificates and the like are not looked at. */
const keyMembers = ['kty', 'use', 'key_ops', 'alg', 'kid', 'ext', 'crv', 'x', 'y', 'n', 'e'];

/**
 * Fetches what a provider publishes as JSON.
 * @throws Error when the answer is another than 200, has more than 1 MiB or is no JSON.
 */
export async function fetchDocument(address: string, options: RequestInit): Promise<unknown> {
  const response = await fetch(address, options);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${address} answers ${response.status}`);
  }
  const text = await textOf(response, address);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${address} is not JSON`, { cause });
  }
}

/**
 * Fetches the keys of a provider, in the form that jose reads. It copies them several times, so it gets nothing besides them.
 * @throws Error as above, and when there is no list of at most 100 keys.
 */
export async function fetchKeys(address: string, options: RequestInit): Promise<Response> {
  const set = await fetchDocument(address, options);
  const keys: unknown = typeof set === 'object' && set !== null ? Reflect.get(set, 'keys') : undefined;
  if (!Array.isArray(keys)) throw new Error(`${address} gives no list of keys`);
  if (keys.length > mostKeys)
    throw new Error(`${address} gives ${keys.length} keys, but at most ${mostKeys} are taken`);
  return Response.json({ keys: keys.map(publicKey) });
}

function publicKey(key: unknown): unknown {
  if (typeof key !== 'object' || key === null) return key;
  const present = keyMembers.filter((name) => Object.hasOwn(key, name));
  return Object.fromEntries(present.map((name): [string, unknown] => [name, Reflect.get(key, name)]));
}

/** The length that an answer announces says nothing of what is compressed, or never ends. */
async function textOf({ body }: Response, address: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`${address} is longer than ${mostBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
