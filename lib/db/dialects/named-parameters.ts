/** Matches quoted text, casts (`::type`), lists and single values, so that names in quotes and casts are skipped. */
const parts = /'(?:[^']|'')*'|::\w+|\bIN \(:(\w+)\)|:([a-z]\w*)/gi;

/** The SQL with each `:name` of a value, and each whole `IN (:name)` of a list, replaced by the result of the functions. */
export function replaceParameters(
  sql: string,
  replace: { readonly value: (name: string) => string; readonly list: (name: string) => string },
): string {
  return sql.replace(parts, (part: string, list: string | undefined, value: string | undefined) => {
    if (list !== undefined) return replace.list(list);
    return value === undefined ? part : replace.value(value);
  });
}
