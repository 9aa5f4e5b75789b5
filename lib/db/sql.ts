/**
 * SQL that is put together from parts, values included:
 *
 *   const newer = sql`position > ${after}`;
 *   const { text, values } = sql`SELECT id FROM statement WHERE ${newer} AND verb IN (${verbs}) LIMIT ${rows}`;
 *   await session.select(text, values);
 *
 * A value is bound, never part of the text; a list is one value, and stands only as `IN (${list})`. A fragment that is
 * interpolated becomes part of the one around it, and may be used several times. What is neither, e.g. the name of a column,
 * goes through `raw`. A text that is the same in every call needs no tag: `select` and `execute` take it with named values.
 */

type Scalar = string | number | boolean | null | Buffer;

/** A value that may stand for a `:name` in SQL; a list, none of it null and all of one type, only as `IN (:name)`. */
export type SqlValue = Scalar | readonly string[] | readonly number[] | readonly Buffer[];
export type Replacements = Readonly<Record<string, SqlValue>>;

/** Immutable. Nothing is rendered before somebody asks for it, so parts cost no more than their values. */
export class Sql {
  readonly #strings: readonly string[];
  readonly #parts: readonly (SqlValue | Sql)[];
  #rendered: { readonly text: string; readonly values: Replacements } | undefined;

  /** @param parts what stands between the strings, of which there is one more. */
  constructor(strings: readonly string[], parts: readonly (SqlValue | Sql)[]) {
    this.#strings = strings;
    this.#parts = parts;
  }

  /** With `:v0`, `:v1` … for the values, in their order: it depends on nothing but the shape, so statements are prepared once. */
  get text(): string {
    return this.#render().text;
  }

  /** By those names. */
  get values(): Replacements {
    return this.#render().values;
  }

  #render(): { readonly text: string; readonly values: Replacements } {
    if (this.#rendered === undefined) {
      const values: Record<string, SqlValue> = {};
      const text = this.#append('', values, { count: 0 });
      this.#rendered = { text, values };
    }
    return this.#rendered;
  }

  #append(before: string, values: Record<string, SqlValue>, names: { count: number }): string {
    let text = before + this.#strings[0];
    for (let at = 0; at < this.#parts.length; at += 1) {
      const part = this.#parts[at] ?? null;
      if (part instanceof Sql) {
        text = part.#append(text, values, names);
      } else {
        const name = `v${names.count}`;
        names.count += 1;
        values[name] = part;
        text += `:${name}`;
      }
      text += this.#strings[at + 1];
    }
    return text;
  }
}

/** The tag. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SqlValue | Sql)[]): Sql {
  return new Sql(strings, parts);
}

/** Text as it is: names and expressions that the program itself has written, never a value. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** Fragments one after another; nothing when there are none. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  return new Sql([...fragments.map((_, at) => (at === 0 ? '' : separator)), ''], fragments);
}
