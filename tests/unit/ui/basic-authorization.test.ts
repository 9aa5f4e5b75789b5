import { expect, it } from 'vitest';
import { basicAuthorization } from '../../../ui/src/api/basic-authorization.ts';

it.each([
  ['key', 'secret'],
  ['schlüssel', 'пароль 🔑'],
])('a key pair is told in UTF-8: %s', (apiKey, secretKey) => {
  const [scheme, text = ''] = basicAuthorization(apiKey, secretKey).split(' ');
  expect(scheme).toBe('Basic');
  expect(Buffer.from(text, 'base64').toString()).toBe(`${apiKey}:${secretKey}`);
});
