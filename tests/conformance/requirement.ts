/** The name of one test, or of the rows of one table of tests. */
export interface TestName {
  /** The path in the repository. */
  readonly file: string;
  /** The end of the full title, from the start of a `describe` or `it`; `…` stands for any text. */
  readonly title: string;
}

/** One duty of an LRS and the tests that show it. */
export interface Requirement {
  /** Part and section of xAPI 1.0.3, or the section of 2.0.0, and the place in our list of that section. */
  readonly id: string;
  /** What is required, in our words. */
  readonly text: string;
  readonly tests: readonly TestName[];
}

/** The requirements of some neighbouring sections. */
export interface Chapter {
  readonly heading: string;
  readonly requirements: readonly Requirement[];
}

/** Names tests of one file. */
export function testsIn(file: string): (title: string) => TestName {
  return (title) => ({ file: `tests/${file}.test.ts`, title });
}

/** Matches the full titles that a name stands for. */
export function titlePattern({ title }: TestName): RegExp {
  const literal = title.split('…').map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`(?:^| > )${literal.join('.*')}$`, 's');
}
