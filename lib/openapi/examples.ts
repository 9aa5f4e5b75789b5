/**
 * Values in examples that stand for what a server makes up: every server gives others. One value stands for the same thing
 * wherever it occurs.
 */
export const placeholders = {
  accountId: '01908a54-1111-7222-8333-abcdefabcdef',
  operatorId: '01908a54-4444-7555-8666-abcdefabcdef',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJhY2MiOiIwMTkwOGE1NC0xMTExIn0.c2lnbmF0dXJlLW9mLXRoZS1sb2dpbg',
  renewedToken: 'eyJhbGciOiJIUzI1NiJ9.eyJhY2MiOiIwMTkwOGE1NC0xMTExIn0.c2lnbmF0dXJlLW9mLXRoZS1yZW5ld2Fs',
  operatorToken: 'eyJhbGciOiJIUzI1NiJ9.eyJhY2MiOiIwMTkwOGE1NC00NDQ0In0.c2lnbmF0dXJlLW9mLW9wZXJhdG9yMQ',
  oneTimeToken: 'eyJhbGciOiJIUzI1NiJ9.eyJvdGkiOiIwMTkwOGE1NC03Nzc3In0.c2lnbmF0dXJlLW9mLW9uZS10aW1l',
  credentialId: '01908a55-aaaa-7bbb-8ccc-0123456789ab',
  apiKey: '9f0c4a1d5e7b382691d0c3f4a5b6c7d8e9f00112233445566778899aabbccdde',
  secretKey: '77aa5b0c9d8e1f2031425364758697a8b9cadbecfd0e1f203142536475869700',
  storedTime: '2026-03-02T10:11:12.345678Z',
  client: '192.0.2.7',
  eventId: '01908a56-bbbb-7ccc-8ddd-0123456789ab',
  nextEvents: '/admin/audit?limit=1&from=1772446273456789-01908a56-bbbb-7ccc-8ddd-0123456789ab',
  requestId: '7d1c9b52-6a4e-4f0b-9c3d-0123456789ab',
  eventTime: '2026-03-02T10:11:13.456789Z',
  documentTime: '2026-03-02T10:11:14.567Z',
  documentTag: '"5f2c1e7d9a3b4c6d8e0f1a2b3c4d5e6f70819203"',
  reactionId: '01908a57-cccc-7ddd-8eee-0123456789ab',
  reactionCreated: '2026-03-02T10:11:15.678901000Z',
  reactionModified: '2026-03-02T10:11:16.789012000Z',
  reactionResumed: '2026-03-02T10:11:17.123456000Z',
  uploadAddress:
    'https://lrs-attachments.s3.eu-central-1.amazonaws.com/attachments/01908a58-dddd-7eee-8fff-0123456789ab?X-Amz-Signature=example',
  uploadExpires: '2026-03-02T10:26:12.345Z',
  storeCreated: '2026-03-02T10:11:18.901Z',
  replayedThrough: '2026-03-02T10:11:17.890123Z',
} as const;

export const accounts = {
  first: { username: 'opsadmin', password: 'Ex4mple-of-a-password!' },
  operator: { username: 'operator1', password: 'Ex4mple-of-another!' },
} as const;

export const newPassword = 'Ex4mple-of-a-new-one!';

/** A JSON body of an example. */
export const json = (value: unknown) => ({ contentType: 'application/json', value });
