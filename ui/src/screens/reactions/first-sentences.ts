/** The first sentences of a message, as many as fit in so many characters; of a longer one the first words. */
export function firstSentences(message: string, longest: number): string {
  let text = '';
  for (const sentence of message.split(/(?<=[.?!]) (?=\p{Lu})/u)) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (text !== '' && longer.length > longest) break;
    text = longer;
  }
  if (text.length <= longest) return text;
  const words = text.lastIndexOf(' ', longest);
  return `${words > 0 ? text.slice(0, words) : Array.from(text).slice(0, longest).join('')}…`;
}
