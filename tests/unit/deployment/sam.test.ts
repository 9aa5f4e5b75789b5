import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { samText } from '../../../scripts/generate-sam.ts';
import { findingsIn } from '../../support/template-findings.ts';

const file = join(import.meta.dirname, '../../../template.yml');

const withLoadBalancer = {
  DEPLOY_GATEWAY: 'alb',
  DEPLOY_ALB_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-0d1e2f3a',
  DEPLOY_ALB_SECURITY_GROUP_IDS: 'sg-0a1b2c3d',
  DEPLOY_DOMAIN: 'lrs.example.org',
  DEPLOY_CERTIFICATE_ARN: 'arn:aws:acm:eu-central-1:123456789012:certificate/abc',
};

describe('the template of AWS SAM', () => {
  it('is what npm run generate:sam makes of serverless.yml', () => {
    expect(readFileSync(file, 'utf8')).toBe(samText({ PATH: process.env.PATH }));
  });

  it('is valid', () => {
    expect(findingsIn(file)).toEqual([]);
  });

  it.each([
    [{ DEPLOY_GATEWAY: 'function-url' }, 'AllLambdaFunctionUrl'],
    [withLoadBalancer, 'https://lrs.example.org'],
    [{ DEPLOY_GATEWAY: 'function-url', DEPLOY_ATTACHMENTS: 's3' }, 'AllLambdaFunctionUrl'],
  ])('is valid with other settings: %j', (settings, address) => {
    const text = samText({ PATH: process.env.PATH, ...settings });
    const folder = mkdtempSync(join(tmpdir(), 'sam-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'template.yml'), text);
    expect(findingsIn(join(folder, 'template.yml'))).toEqual([]);
    const { Resources, Outputs } = JSON.parse(text.replace(/^#.*/, ''));
    expect(JSON.stringify(Outputs.Address)).toContain(address);
    expect(JSON.stringify(Resources)).not.toContain('HttpApi');
    expect(Object.keys(Resources)).not.toContain('StatementsLambdaFunction');
  });

  it('is not made of settings that are wrong', () => {
    expect(() => samText({ PATH: process.env.PATH, DEPLOY_GATEWAY: 'alb' })).toThrow(
      'DEPLOY_GATEWAY=alb needs DEPLOY_DOMAIN',
    );
  });
});
