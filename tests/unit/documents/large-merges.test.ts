import { describe, expect, it } from 'vitest';
import { DocumentDraft } from '../../../lib/documents/draft.ts';
import { JsonContentScanner } from '../../../lib/documents/json-content.ts';
import { LargeMerges } from '../../../lib/documents/large-merges.ts';
import { type DocumentAddress, defaultLimits } from '../../../lib/documents/types.ts';
import { UnavailableError } from '../../../lib/errors.ts';

const address: DocumentAddress = {
  kind: 'activities/profile',
  activity: 'http://example.org/a',
  agent: undefined,
  registration: undefined,
  id: 'x',
};
const creating = {
  conditions: {},
  next: () => new DocumentDraft({ contentType: 'text/plain', content: Buffer.from('x') }, () => new Map()),
};

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
