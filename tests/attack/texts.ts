/* The texts that attacks are made of. */

const verb = 'https://attacker.example/verbs/did';

/** A statement as JSON, with members replaced or added; a member's value is JSON text. */
export function statementText(members: Readonly<Record<string, string>> = {}): string {
  const all = {
    actor: '{"mbox":"mailto:attacker@example.org"}',
    verb: `{"id":"${verb}"}`,
    object: '{"id":"https://attacker.example/activities/a"}',
    ...members,
  };
  return `{${Object.entries(all)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
}

/** `count` texts with commas between them. */
export function list(count: number, text: (index: number) => string): string {
  const parts: string[] = [];
  for (let index = 0; index < count; index += 1) parts.push(text(index));
  return parts.join(',');
}

/** So many members of an object, as many as fit into so many bytes if that is fewer. */
export function objectOf(count: number, member: (index: number) => string): string {
  return `{${list(count, member)}}`;
}

export function reference(id: string): string {
  return `{"objectType":"StatementRef","id":"${id}"}`;
}

/** The `index`-th of a sequence of UUIDs. */
export function numberedUuid(index: number, group = 1): string {
  const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
  return `${hex(group, 8)}-0000-4000-8000-${hex(index, 12)}`;
}

/** A multipart body with the boundary `b`; each part is its header lines and its content. */
export function multipart(
  parts: readonly { readonly head: string; readonly content: Buffer | string }[],
): Buffer {
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--b\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from('--b--\r\n')]);
}

export const multipartType = { 'Content-Type': 'multipart/mixed; boundary=b' };
export const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };
export const jsonType = { 'Content-Type': 'application/json' };

/** Just below the default limit of a body, in bytes. */
export const largeBody = 9_900_000;
