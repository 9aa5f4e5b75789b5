/* What must not stand in anything that a server says. */

/** Whole statements of SQL, or the names of what speaks it. */
const sql =
  /\b(?:SELECT\s[^\n]*\sFROM\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX)\s)/;
const drivers = /\b(?:SQLITE_[A-Z]+|Sequelize\w*|SQLState|ECONNREFUSED)\b/;
const stack = /(?:^|\n|\\n|")\s*at (?:async )?[^\s"][^\n"]*:\d+:\d+/;

/** What a text shows of the inside of the server, unless `own`, which came from outside, shows it too. */
export function insides(text: string, own = ''): string[] {
  return [sql, stack].flatMap((pattern) => found(pattern, text, own));
}

/** As above, for answers: they name no driver either. */
export function insidesOfAnswer(text: string, own = ''): string[] {
  return [...insides(text, own), ...found(drivers, text, own)];
}

function found(pattern: RegExp, text: string, own: string): string[] {
  const [match] = pattern.exec(text) ?? [];
  return match === undefined || own.includes(match) ? [] : [`"${match.slice(0, 60)}"`];
}

/** Those of the secrets that stand in the text, by their kinds. */
export function secretsIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].filter(([secret]) => text.includes(secret)).map(([, kind]) => kind);
}
