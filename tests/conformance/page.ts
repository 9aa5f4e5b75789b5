import { chapters } from './chapters.ts';
import type { Chapter, Requirement, TestName } from './requirement.ts';

const introduction = `# Conformance

<!-- Generated from tests/conformance/requirements by \`npm run generate:conformance\`; edit there. -->

What xAPI demands of an LRS (MUST, MUST NOT, SHALL) and the tests of this repository that show it. The requirements are put in our own words; the texts are [xAPI 1.0.3](https://github.com/adlnet/xAPI-Spec), part 2 (Data) and part 3 (Communication), and xAPI 2.0.0 (IEEE 9274.1.1-2023). Where the demand is on a client, what stands here is that the LRS refuses its breach.

\`tests/conformance/coverage.test.ts\` proves that every test named here exists. In a title, \`…\` stands for what varies within a table of tests. \`npm run conformance\` runs the official conformance suite in addition.

Sections: `;

const leftOut = `
## Left out

- Demands on clients only, which an LRS can neither meet nor break, and those on providers of metadata (Data 3).
- OAuth 1.0 (Data 2.4.9 on consumers, Communication 4.1 and 4.2): this LRS authenticates by HTTP Basic Authentication.
- Exchange between LRSs (Communication 1.5.2) and refusals for too many requests (Communication 3.2): this LRS does neither.
`;

/** The text of `docs/conformance.md`. */
export function conformancePage(): string {
  const contents = chapters.map(({ heading }) => heading.split(':')[0]).join('; ');
  return [introduction, contents, '.\n', ...chapters.map(chapterSection), leftOut].join('');
}

function chapterSection({ heading, requirements }: Chapter): string {
  return `
## ${heading}

| Section | Required | Shown by |
|---|---|---|
${requirements.map(row).join('\n')}
`;
}

function row({ id, text, tests }: Requirement): string {
  return `| ${id} | ${cell(text)} | ${byFile(tests).map(fileEntry).join('<br>')} |`;
}

/** The titles of each file, in the order in which the files come first. */
function byFile(tests: readonly TestName[]): [file: string, titles: string[]][] {
  const files = new Map<string, string[]>();
  for (const { file, title } of tests) files.set(file, [...(files.get(file) ?? []), title]);
  return [...files];
}

function fileEntry([file, titles]: [file: string, titles: readonly string[]]): string {
  const named = titles.map((title) => `“${cell(title)}”`).join(', ');
  return `[${file.replace(/^tests\/(.*)\.test\.ts$/, '$1')}](../${file}): ${named}`;
}

function cell(text: string): string {
  return text.replaceAll(/[|*_[\]<>`\\]/g, (character) => (character === '|' ? '\\|' : `\\${character}`));
}
