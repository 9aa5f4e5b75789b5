import type { AnsweredRequest, DatabaseOperation, Measurements } from './types.ts';

/*
 * What the rest of the program calls. While nothing is measured, which is the default, each of these functions is a comparison
 * and allocates nothing.
 */

let measurements: Measurements | undefined;

/** Passes everything that is measured from now on to `to`; nothing is measured when undefined. */
export function measureInto(to: Measurements | undefined): void {
  measurements = to;
}

export const isMeasured = (): boolean => measurements !== undefined;

/** The beginning of something that is measured, for the functions below; 0 while nothing is. */
export const startOfMeasurement = (): number => (measurements === undefined ? 0 : performance.now());

export function requestBegan(): void {
  measurements?.requestBegan();
}

export function requestEnded(request: AnsweredRequest): void {
  measurements?.requestEnded(request);
}

export function refused(code: string, rule = ''): void {
  measurements?.refused(code, rule);
}

/** @param start as `startOfMeasurement` returned it. */
export function groupCommitted(requests: number, statements: number, start: number): void {
  measurements?.committed({ requests, statements, milliseconds: performance.now() - start });
}

/** Measures an access to the database. @returns the same promise. */
export function measureDatabase<T>(operation: DatabaseOperation, access: Promise<T>): Promise<T> {
  if (measurements !== undefined) watch(operation, access, measurements);
  return access;
}

function watch(operation: DatabaseOperation, access: Promise<unknown>, to: Measurements): void {
  const start = performance.now();
  access.then(
    () => to.databaseAnswered(operation, performance.now() - start, false),
    () => to.databaseAnswered(operation, performance.now() - start, true),
  );
}
