/** A text in quotes, a list to look in, or a single value; a cast (`::type`) and a quoted text name nothing. */
const parts = /'(?:[^']|'')*'|::\w+|\bIN \(:(\w+)\)|:([a-z]\w*)/gi;

/** The SQL with each `:name` of a value, and each whole `IN (:name)` of a list, replaced by what the functions make of it. */
export function replaceParameters(
  sql: string,
  replace: { readonly value: (name: string) => string; readonly list: (name: string) => string },
): string {
  return sql.replace(parts, (part: string, list: string | undefined, value: string | undefined) => {
    if (list !== undefined) return replace.list(list);
    return value === undefined ? part : replace.value(value);
  });
}
