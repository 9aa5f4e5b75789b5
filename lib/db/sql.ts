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

/** A value for a `:name` in SQL; a list, without nulls and of one type, only as `IN (:name)`. */
export type SqlValue = Scalar | readonly string[] | readonly number[] | readonly Buffer[];
export type Replacements = Readonly<Record<string, SqlValue>>;

interface Rendered {
  text: string;
  readonly values: Record<string, SqlValue>;
  /** The number of values. */
  count: number;
}

/** Immutable, and rendered on demand, so that intermediate parts cost little. */
export class Sql {
  readonly #strings: readonly string[];
  readonly #parts: readonly (SqlValue | Sql)[];
  #rendered: Rendered | undefined;

  /** @param parts the fragments between the strings, of which there is one more. */
  constructor(strings: readonly string[], parts: readonly (SqlValue | Sql)[]) {
    this.#strings = strings;
    this.#parts = parts;
  }

  /** With `:v0`, `:v1` … for the values, in order. The text depends only on the shape, so statements are prepared once. */
  get text(): string {
    return this.#render().text;
  }

  /** The values by these names. */
  get values(): Replacements {
    return this.#render().values;
  }

  #render(): Rendered {
    if (this.#rendered === undefined) {
      this.#rendered = { text: '', values: {}, count: 0 };
      this.#appendTo(this.#rendered);
    }
    return this.#rendered;
  }

  #appendTo(rendered: Rendered): void {
    const parts = this.#parts;
    rendered.text += this.#strings[0];
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] ?? null;
      if (part instanceof Sql) {
        part.#appendTo(rendered);
      } else {
        const name = nameOf(rendered.count);
        rendered.count += 1;
        rendered.values[name] = part;
        rendered.text += `:${name}`;
      }
      rendered.text += this.#strings[at + 1];
    }
  }
}

/** The names so far: identical strings are faster keys than equal ones. */
const names: string[] = [];

function nameOf(index: number): string {
  names[index] ??= `v${index}`;
  return names[index];
}

/** The tag. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SqlValue | Sql)[]): Sql {
  return new Sql(strings, parts);
}

/** Text that is inserted as it is: names and expressions from the program itself, never a value. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** Fragments one after another; nothing when there are none. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  return new Sql([...fragments.map((_, at) => (at === 0 ? '' : separator)), ''], fragments);
}
