import type { DocumentAddress, DocumentContent } from '../../documents/types.ts';
import { isUuid } from '../../xapi/uuid.ts';
import type { AccountRecord, KeyPairRecord, Refusal } from '../records.ts';

/** Characters of a column for names, and of one for hashes of passwords. */
const longestName = 255;
const longestHash = 100;

/** Why an account cannot be stored on every engine; undefined when it can. */
export function unstorableAccount({
  id,
  username,
  passwordHash = '',
  issuer,
}: AccountRecord): Refusal | undefined {
  return (
    unlessUuid(id) ??
    unlessName('user name', username) ??
    (passwordHash.length > longestHash ? { refused: 'its password hash is too long' } : undefined) ??
    unlessText('password hash', passwordHash) ??
    unlessText('issuer', issuer ?? '')
  );
}

export function unstorableKeyPair({ id, apiKey, secretKey = '', label }: KeyPairRecord): Refusal | undefined {
  return (
    unlessUuid(id) ??
    unlessName('API key', apiKey) ??
    // Basic credentials end the key at the first colon (RFC 7617 2), so nobody could use the pair.
    (apiKey.includes(':') ? { refused: 'its API key has a colon' } : undefined) ??
    unlessText('secret key', secretKey) ??
    unlessText('label', label ?? '')
  );
}

export function unstorableDocument(address: DocumentAddress, document: DocumentContent): Refusal | undefined {
  const { kind, activity, agent, registration = '', id } = address;
  if (kind !== 'agents/profile' && activity === undefined) return { refused: 'it names no activity' };
  if (kind !== 'activities/profile' && agent === undefined) return { refused: 'it names no agent' };
  if (registration !== '' && !isUuid(registration)) return { refused: 'its registration is not a UUID' };
  return (
    unlessText('id', id) ??
    unlessText('activity', activity ?? '') ??
    unlessText('agent', agent ?? '') ??
    unlessHeader('content type', document.contentType)
  );
}

const unlessUuid = (id: string): Refusal | undefined =>
  isUuid(id) ? undefined : { refused: 'its id is not a UUID' };

function unlessName(what: string, name: string): Refusal | undefined {
  if (name === '') return { refused: `its ${what} is empty` };
  if ([...name].length > longestName)
    return { refused: `its ${what} has more than ${longestName} characters` };
  return unlessText(what, name);
}

/** It is a header of every answer with the document. */
function unlessHeader(what: string, value: string): Refusal | undefined {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : { refused: `its ${what} has characters that no header can have` };
}

/** U+0000 and halves of characters are no text in Postgres. */
export function unlessText(what: string, text: string): Refusal | undefined {
  if (text.includes('\0')) return { refused: `its ${what} has U+0000` };
  return text.isWellFormed() ? undefined : { refused: `its ${what} has half a character` };
}
