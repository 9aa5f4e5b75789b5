/*
 * How long tests wait, in milliseconds. The limits end tests that hang; they say nothing about speed, so a machine that is
 * many times slower than usual stays below them.
 */

/** For a condition that has to come true: `expect.poll`, `vi.waitFor`, an element of a page, a server that starts. */
export const conditionLimit = 120_000;

/** For a whole test, or what is prepared for the tests of a file. */
export const testLimit = 300_000;
