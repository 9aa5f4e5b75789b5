import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { mergePages } from '../lib/telemetry/merge-pages.ts';

/*
 * With `--workers` any process may be asked for the metrics. It asks the first process, which collects the pages of all: three
 * messages, `ask` to the first process, `collect` to each worker and back as `page`, and `pages` to the one that has asked.
 */

/** Milliseconds that a worker may take for its page; one that is busy for longer is missing in the answer. */
const patience = 2000;

type Message =
  | { readonly metrics: 'ask'; readonly id: number }
  | { readonly metrics: 'collect'; readonly id: number }
  | { readonly metrics: 'page'; readonly id: number; readonly text: string }
  | { readonly metrics: 'pages'; readonly id: number; readonly texts: readonly string[] };

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** In the first process: collects the pages of the workers whenever one of them asks. */
export function collectMetrics(): void {
  let latest = 0;
  const collected = new Map<number, (text: string) => void>();
  cluster.on('message', async (asking, message: unknown) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'page') collected.get(message.id)?.(message.text);
    if (message.metrics !== 'ask') return;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ids: number[] = [];
    const pages = workers.map((worker) => {
      latest += 1;
      const id = latest;
      ids.push(id);
      const page = new Promise<string>((resolve) => collected.set(id, resolve));
      const ask: Message = { metrics: 'collect', id };
      worker.send(ask, () => undefined);
      return Promise.race([page, sleep(patience, '', { ref: false })]);
    });
    const texts = await Promise.all(pages);
    for (const id of ids) collected.delete(id);
    const answer: Message = { metrics: 'pages', id: message.id, texts };
    asking.send(answer, () => undefined);
  });
}

/**
 * In a worker: gives others its page.
 * @returns reads the pages of all.
 */
export function shareMetrics(readOwn: () => Promise<string>): () => Promise<string> {
  let latest = 0;
  const asked = new Map<number, (texts: readonly string[]) => void>();
  process.on('message', async (message: unknown) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'collect') {
      const page: Message = { metrics: 'page', id: message.id, text: await readOwn().catch(() => '') };
      process.send?.(page);
    }
    if (message.metrics === 'pages') {
      asked.get(message.id)?.(message.texts);
      asked.delete(message.id);
    }
  });
  return async () => {
    latest += 1;
    const id = latest;
    const texts = new Promise<readonly string[]>((resolve) => asked.set(id, resolve));
    const ask: Message = { metrics: 'ask', id };
    process.send?.(ask);
    return mergePages(await texts);
  };
}
