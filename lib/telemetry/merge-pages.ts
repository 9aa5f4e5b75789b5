/**
 * The pages of several processes as one, in the text format of Prometheus: what describes a metric comes once, before the series of
 * all processes.
 */
export function mergePages(pages: readonly string[]): string {
  const metrics = new Map<string, { readonly head: string[]; readonly series: string[] }>();
  for (const page of pages) {
    let current: { readonly head: string[]; readonly series: string[] } | undefined;
    let isNew = false;
    for (const line of page.split('\n')) {
      const [, name] = /^# HELP (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        isNew = !metrics.has(name);
        current = metrics.get(name) ?? { head: [], series: [] };
        metrics.set(name, current);
      }
      if (line === '' || current === undefined) continue;
      if (!line.startsWith('#')) current.series.push(line);
      else if (isNew) current.head.push(line);
    }
  }
  const lines = [...metrics.values()].flatMap(({ head, series }) => [...head, ...series]);
  return `${lines.join('\n')}\n`;
}
