/** A piece of HTML that is complete and safe by itself. */
export interface Html {
  readonly html: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as the content of an element, or as the value of an attribute in quotes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

type Part = string | Html | readonly Html[];

/** A template whose values are escaped, unless they are HTML already. Attributes with a value stand in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const joined = texts.map((text, index) => {
    const part = parts[index];
    if (part === undefined) return text;
    if (typeof part === 'string') return text + escaped(part);
    const pieces = 'html' in part ? [part] : part;
    return text + pieces.map((piece) => piece.html).join('');
  });
  return { html: joined.join('') };
}
