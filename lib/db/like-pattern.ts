/** Escapes the wildcards of LIKE; no engine gives this character a meaning of its own. */
export const likeEscape = '!';

/** The LIKE pattern of texts that contain this one. */
export function patternOf(text: string): string {
  return `%${text.replace(/[!%_]/g, (character) => likeEscape + character)}%`;
}
