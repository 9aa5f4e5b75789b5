import { afterEach, describe, expect, it, vi } from 'vitest';
import { NotFoundError, UnavailableError } from '../../../lib/errors.ts';
import { audited, commandAct } from '../../../scripts/operator/audited.ts';

vi.mock('node:os', () => ({
  userInfo: () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  },
}));
afterEach(() => vi.restoreAllMocks());

const trail = () => {
  const begin = vi.fn(async () => ({ at: 1, id: 'a' }));
  const finish = vi.fn(async () => {});
  return { begin, finish };
};
const act = commandAct('keys rotate', 'change');

describe('a command in the audit trail', () => {
  it('is there without the name of a user who has none', () => {
    expect(act.client).toBe(`command line (user ${process.getuid?.()})`);
  });

  it('is not carried out where its entry cannot be written, which a sentence says', async () => {
    const audit = trail();
    audit.begin.mockRejectedValue(new Error('SQLITE_CONSTRAINT: full'));
    const work = vi.fn(async () => 1);
    await expect(audited(audit, act, work)).rejects.toThrow(
      new UnavailableError(
        'The audit trail cannot be written, so the command is not carried out: SQLITE_CONSTRAINT: full',
      ),
    );
    expect(work).not.toHaveBeenCalled();
  });

  it('gives its result also where the entry cannot be completed, with a warning', async () => {
    const audit = trail();
    audit.finish.mockRejectedValue(new UnavailableError('full'));
    const warning = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await audited(audit, act, async () => 'a secret')).toBe('a secret');
    expect(warning.mock.calls).toEqual([['The audit trail does not say how this ended: full']]);
  });

  it.each([
    [new NotFoundError('none'), 404],
    [new Error('a bug'), 500],
  ])('that has failed with %s has its status', async (error, status) => {
    const audit = trail();
    const failing = audited(audit, act, (end) => {
      end.subject = 'key';
      return Promise.reject(error);
    });
    await expect(failing).rejects.toBe(error);
    expect(audit.finish).toHaveBeenCalledWith({ at: 1, id: 'a' }, { ...act, subject: 'key', status });
  });
});
