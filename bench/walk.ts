import type { Call, Work } from './load.ts';

const statementsPath = '/statements';

/** Each connection follows `more` for 50 pages, then starts again from the front. */
export function walkWork(seconds: number): Work {
  const first: Call = { method: 'GET', path: `${statementsPath}?limit=50` };
  const ahead: Call[] = [];
  let pages = 0;
  return {
    name: 'GET walk of 50 pages by more',
    connections: 8,
    seconds,
    next: () => ahead.shift() ?? first,
    answered: (_call, body) => {
      pages += 1;
      const more = moreIn(body);
      if (more !== undefined && pages % 50 !== 0) ahead.push({ method: 'GET', path: more });
    },
  };
}

/** The link at the end or the beginning of a page, as a path under the endpoint. */
function moreIn(body: string): string | undefined {
  const ends = `${body.slice(0, 2000)} ${body.slice(-2000)}`;
  const link = /"more": ?"([^"]+)"/.exec(ends)?.[1];
  return link?.slice(link.indexOf(statementsPath));
}
