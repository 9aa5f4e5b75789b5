import { describe, expect, it } from 'vitest';
import { rdsToken } from '../../../lib/aws/rds-token.ts';
import { standInAws } from '../../support/stand-in-aws.ts';

const login = {
  region: 'eu-central-1',
  host: 'lrs.abc.eu-central-1.rds.amazonaws.com',
  port: 5432,
  user: 'lrs user',
};
const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'stand-in' };
const moment = '20260101T000000Z';

describe('a token for RDS', () => {
  /* Made by @aws-sdk/rds-signer 3.1173.0 of the same input. */
  it.each([
    [undefined, '4166939d7bd1eee857912bae562f2d5c1ad3dbafa08d85cc8e308b19a02ab525'],
    ['session/+=token', '900bafdaf8ad007d9e727bd8a23439dea28ec0ab43e4601b909a1c55d3f4c779'],
  ])('is signed as the SDK of AWS signs it, with the session %s', async (session, signature) => {
    const token = await rdsToken(login, { ...keys, AWS_SESSION_TOKEN: session }, moment);
    expect(token).toMatch(/^lrs\.abc\.eu-central-1\.rds\.amazonaws\.com:5432\/\?Action=connect&/);
    expect(Object.fromEntries(new URL(`https://${token}`).searchParams)).toEqual({
      Action: 'connect',
      DBUser: 'lrs user',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIDEXAMPLE/20260101/eu-central-1/rds-db/aws4_request',
      'X-Amz-Date': moment,
      'X-Amz-Expires': '900',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': signature,
      ...(session !== undefined && { 'X-Amz-Security-Token': session }),
    });
  });

  it('takes the credentials of a container where the environment has none', async () => {
    const aws = await standInAws(() => ({
      body: { AccessKeyId: 'FROMROLE', SecretAccessKey: 's', Token: 't' },
    }));
    const token = await rdsToken(
      login,
      { AWS_CONTAINER_CREDENTIALS_FULL_URI: aws.env.AWS_ENDPOINT_URL },
      moment,
    );
    expect(token).toContain('X-Amz-Credential=FROMROLE%2F20260101');
    expect(token).toContain('X-Amz-Security-Token=t');
  });
});
