import { describe, expect, it } from 'vitest';
import {
  createCredentialSchema,
  deleteCredentialSchema,
  updateCredentialSchema,
} from '../../../lib/credentials/schema.ts';
import { checked } from '../../../lib/schema.ts';
import { scopes } from '../../../lib/xapi/scopes.ts';
import { thrownBy } from '../../support/thrown.ts';

const pair = { 'api-key': 'a', 'secret-key': 's' };

describe('the bodies of the credential routes', () => {
  it('grant any known scopes, none too, with a label or null', () => {
    expect(checked(createCredentialSchema, { scopes: [...scopes], label: '' })).toEqual({
      scopes: [...scopes],
      label: '',
    });
    expect(checked(createCredentialSchema, { scopes: [], label: null })).toEqual({ scopes: [], label: null });
    expect(checked(updateCredentialSchema, { ...pair, scopes: ['all'] })).toEqual({
      ...pair,
      scopes: ['all'],
      label: null,
    });
  });

  it('refuse scopes that are missing, unknown or doubled, and a label that is no text', () => {
    expect(
      thrownBy(() => checked(createCredentialSchema, { scopes: ['all', 'define', 'all'], label: 1 })),
    ).toMatchObject({
      details: [{ path: 'scopes[1]' }, { path: 'scopes[2]' }, { path: 'label' }],
    });
    for (const wrong of [undefined, null, 'all', { 0: 'all' }, [null]]) {
      expect(() => checked(createCredentialSchema, { scopes: wrong })).toThrow(/scopes/);
    }
  });

  it('name the pair to change or delete', () => {
    expect(checked(deleteCredentialSchema, { ...pair, scopes: ['x'] })).toEqual(pair);
    expect(thrownBy(() => checked(updateCredentialSchema, { 'api-key': 5, scopes: [] }))).toMatchObject({
      details: [{ path: 'api-key' }, { path: 'secret-key' }],
    });
  });
});
