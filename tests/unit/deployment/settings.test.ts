import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploymentSettings, readDeployment } from '../../../ops/aws/settings.cjs';
import { costPerMillion, fixedCost } from '../../../scripts/deployment/cost.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/deploy-aws.md'), 'utf8');

const loadBalancer = {
  DEPLOY_GATEWAY: 'alb',
  DEPLOY_ALB_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-0d1e2f3a',
  DEPLOY_ALB_SECURITY_GROUP_IDS: 'sg-0a1b2c3d',
  DEPLOY_DOMAIN: 'lrs.example.org',
  DEPLOY_CERTIFICATE_ARN: 'arn:aws:acm:eu-central-1:123456789012:certificate/abc',
};

describe('the settings of a deployment', () => {
  it('are listed in docs/deploy-aws.md as they are', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `DEPLOY_'));
    expect(rows).toEqual(
      Object.entries(deploymentSettings).map(
        ([name, { kind, default: fallback, meaning }]) =>
          `| \`${name}\` | ${kind.names} | ${fallback === '' ? '–' : `\`${fallback}\``} | ${meaning} |`,
      ),
    );
  });

  it('have defaults that fit', () => {
    expect(readDeployment({}).problems).toEqual([]);
    for (const [name, { kind, default: fallback }] of Object.entries(deploymentSettings)) {
      expect(fallback === '' || kind.fits(fallback), name).toBe(true);
    }
  });

  it.each(['0', '300', '999', '86399', '86400'])('take %s seconds until Aurora pauses', (seconds) => {
    expect(readDeployment({ DEPLOY_AURORA_PAUSE_SECONDS: seconds }).problems).toEqual([]);
  });

  it.each(['1', '299', '86401', '90000', '-5'])('do not take %s seconds', (seconds) => {
    expect(readDeployment({ DEPLOY_AURORA_PAUSE_SECONDS: seconds }).problems).toHaveLength(1);
  });
});

describe('the settings of a gateway', () => {
  it.each([
    [
      { DEPLOY_GATEWAY: 'function-url', DEPLOY_THROTTLE_RATE: '5' },
      'DEPLOY_THROTTLE_RATE has no effect with DEPLOY_GATEWAY=function-url: it is for http-api.',
    ],
    [
      { DEPLOY_ALB_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-0d1e2f3a' },
      'DEPLOY_ALB_SUBNET_IDS has no effect with DEPLOY_GATEWAY=http-api: it is for alb.',
    ],
    [
      { ...loadBalancer, DEPLOY_ALB_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-0a1b2c3d' },
      'DEPLOY_GATEWAY=alb needs two subnets or more in DEPLOY_ALB_SUBNET_IDS, and DEPLOY_ALB_SECURITY_GROUP_IDS.',
    ],
    [
      { ...loadBalancer, DEPLOY_DOMAIN: '', DEPLOY_CERTIFICATE_ARN: '' },
      'DEPLOY_GATEWAY=alb needs DEPLOY_DOMAIN and DEPLOY_CERTIFICATE_ARN: a load balancer has no certificate for its own name.',
    ],
    [{ DEPLOY_GATEWAY: 'rest' }, 'DEPLOY_GATEWAY must be one of http-api, function-url, alb, not "rest".'],
  ])('are refused where they have no effect or are missing: %j', (env, problem) => {
    expect(readDeployment(env).problems).toContain(problem);
  });

  it('are taken where they belong', () => {
    expect(readDeployment(loadBalancer).problems).toEqual([]);
    expect(readDeployment({ DEPLOY_GATEWAY: 'function-url' }).problems).toEqual([]);
  });

  it('refuse a host name for a function URL, which can not have one', () => {
    const { DEPLOY_DOMAIN, DEPLOY_CERTIFICATE_ARN } = loadBalancer;
    const env = { DEPLOY_GATEWAY: 'function-url', DEPLOY_DOMAIN, DEPLOY_CERTIFICATE_ARN };
    expect(readDeployment(env).problems).toHaveLength(2);
  });
});

describe('the estimated cost', () => {
  it('is what docs/deploy-aws.md says of Aurora with alarms', () => {
    const { deployment } = readDeployment({ DEPLOY_DATABASE: 'aurora' });
    expect(page).toContain(`about $${Math.round(fixedCost(deployment))} a month without a request`);
    expect(page).toContain(`about $${costPerMillion(deployment).toFixed(1)}0 per million requests`);
  });

  it('of each gateway is what docs/deploy-aws.md says', () => {
    const cost = (gateway: string) => {
      const { deployment } = readDeployment({
        ...loadBalancer,
        DEPLOY_GATEWAY: gateway,
        DEPLOY_ALARMS: 'false',
      });
      return { month: fixedCost(deployment), million: costPerMillion(deployment) };
    };
    const free = cost('function-url');
    const more = (gateway: string) => {
      const { month, million } = cost(gateway);
      return `$${(month - free.month).toFixed(2)} a month and $${(million - free.million).toFixed(2)} per million`;
    };
    expect(page).toContain(more('http-api'));
    expect(page).toContain(more('alb'));
  });
});
