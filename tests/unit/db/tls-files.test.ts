import { describe, expect, it } from 'vitest';
import { authorityFileOf } from '../../../lib/db/dialects/server/tls-files.ts';
import { DatabaseUnusableError } from '../../../lib/db/unusable.ts';

describe('the file of trusted authorities', () => {
  const here = import.meta.filename;

  it('is the one that is named, or that of Node.js where none is', () => {
    expect(authorityFileOf({ authorityFile: 'ca.pem' })).toBe('ca.pem');
    expect(authorityFileOf({})).toBeUndefined();
  });

  it('is that of the system where sslRootCert is system, and never another in its place', () => {
    expect(authorityFileOf({ authorityFile: 'system' }, ['/nowhere/ca.pem', here])).toBe(here);
    expect(() => authorityFileOf({ authorityFile: 'system' }, ['/nowhere/ca.pem'])).toThrow(
      new DatabaseUnusableError(
        'This system has no file of trusted authorities, which sslRootCert=system needs: install its package ca-certificates, or name a file with sslRootCert.',
      ),
    );
  });
});
