/** How the text of a StatementResult begins (xAPI 1.0.3 Data 2.5); the statements follow, with a comma between two. */
export const resultStart = '{"statements":[';

/** How it ends, after the statements. @param more the link to the next page, empty on the last one. */
export const resultEnd = (more: string): string => `],"more":${JSON.stringify(more)}}`;
