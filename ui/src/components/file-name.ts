/** Where the subtype of a media type is not what its files end in. */
const endings: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
};

/** A name for a file: what its content is called, with an ending that suits its type. */
export function fileName(name: string, { contentType }: { readonly contentType: string }): string {
  const plain = name.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 100);
  if (/\.\w{1,5}$/.test(plain)) return plain;
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = endings[type] ?? type.split('/')[1] ?? '';
  return /^[a-z0-9]{2,5}$/.test(ending) ? `${plain}.${ending}` : plain;
}
