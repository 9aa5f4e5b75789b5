/**
 * What is used of the package `csv-writer`. Its own types are TypeScript sources that do not compile under our rules, and
 * the compiler reads them wherever the package is imported by its name alone.
 */
declare module 'csv-writer/dist/index.js' {
  export interface ArrayCsvStringifier {
    /** The lines of the records, each with its end. */
    stringifyRecords(records: readonly (readonly string[])[]): string;
  }

  export function createArrayCsvStringifier(options: {
    readonly recordDelimiter: '\n' | '\r\n';
    readonly alwaysQuote?: boolean;
  }): ArrayCsvStringifier;
}
