import { expect, it } from 'vitest';
import { mergePages } from '../../../lib/telemetry/merge-pages.ts';

it('the pages of several processes become one, in which each metric is described once', () => {
  const page = (worker: number, more = '') =>
    `# HELP a What a is.\n# TYPE a counter\na{worker="${worker}"} 1\n# HELP b What b is.\n# TYPE b gauge\nb{worker="${worker}"} 2\n${more}`;
  const only = '# HELP c What c is.\n# TYPE c gauge\nc{worker="2"} 3\n';
  expect(mergePages([page(1), '', page(2, only)])).toBe(
    [
      ...['# HELP a What a is.', '# TYPE a counter', 'a{worker="1"} 1', 'a{worker="2"} 1'],
      ...['# HELP b What b is.', '# TYPE b gauge', 'b{worker="1"} 2', 'b{worker="2"} 2'],
      ...['# HELP c What c is.', '# TYPE c gauge', 'c{worker="2"} 3', ''],
    ].join('\n'),
  );
});
