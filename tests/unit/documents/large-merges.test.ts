import { describe, expect, it } from 'vitest';
import { DocumentDraft } from '../../../lib/documents/draft.ts';
import { JsonContentScanner } from '../../../lib/documents/json-content.ts';
import { LargeMerges } from '../../../lib/documents/large-merges.ts';
import { type DocumentAddress, defaultLimits } from '../../../lib/documents/types.ts';
import { InvalidError, UnavailableError } from '../../../lib/errors.ts';

const address: DocumentAddress = {
  kind: 'activities/profile',
  activity: 'http://example.org/a',
  agent: undefined,
  registration: undefined,
  id: 'x',
};
const creating = async () => ({
  conditions: {},
  next: () => new DocumentDraft({ contentType: 'text/plain', content: Buffer.from('x') }, () => new Map()),
});

describe('merges into a large document', () => {
  it('give up after some tries when others change it all the time, and later ones are tried again', async () => {
    let reads = 0;
    let changes = true;
    const merges = new LargeMerges({
      limits: defaultLimits,
      scanner: new JsonContentScanner(),
      async read() {
        reads += 1;
        return undefined;
      },
      replace: async () => !changes,
    });
    const first = [merges.submit(address, creating), merges.submit(address, creating)];
    for (const outcome of await Promise.allSettled(first)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
    }
    expect(reads).toBeLessThanOrEqual(20);
    changes = false;
    await merges.submit(address, creating);
  });

  it('are prepared one by one, because what is known of a document takes several times its memory', async () => {
    let prepared = 0;
    let most = 0;
    const merges = new LargeMerges({
      limits: defaultLimits,
      scanner: new JsonContentScanner(),
      read: async () => undefined,
      async replace() {
        prepared -= 1;
        return true;
      },
    });
    const prepare = async () => {
      prepared += 1;
      most = Math.max(most, prepared);
      return creating();
    };
    const ids = ['a', 'b', 'c', 'd'];
    await Promise.all(ids.map((id) => merges.submit({ ...address, id }, prepare)));
    expect([most, prepared]).toEqual([1, 0]);
  });

  it('refuse what can not be prepared, and nothing else', async () => {
    const merges = new LargeMerges({
      limits: defaultLimits,
      scanner: new JsonContentScanner(),
      read: async () => undefined,
      replace: async () => true,
    });
    const refused = merges.submit(address, () => Promise.reject(new InvalidError('It is no JSON.')));
    const merged = merges.submit(address, creating);
    await expect(refused).rejects.toThrow('It is no JSON.');
    await merged;
  });

  it('fail together when the database does, and later ones do not', async () => {
    let fails = true;
    const merges = new LargeMerges({
      limits: defaultLimits,
      scanner: new JsonContentScanner(),
      async read() {
        if (fails) throw new UnavailableError('out of reach');
        return undefined;
      },
      replace: async () => true,
    });
    await expect(merges.submit(address, creating)).rejects.toThrow('out of reach');
    fails = false;
    await merges.submit(address, creating);
  });
});
