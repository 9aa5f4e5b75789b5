/** Stands before a character that a pattern of LIKE would else take for a placeholder; no engine gives it a meaning of its own. */
export const likeEscape = '!';

/** The pattern of LIKE for texts that hold this one. */
export function patternOf(text: string): string {
  return `%${text.replace(/[!%_]/g, (character) => likeEscape + character)}%`;
}
