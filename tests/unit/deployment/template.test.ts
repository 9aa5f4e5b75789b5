import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtProjectWith, serverless } from '../../support/serverless-project.ts';
import { findingsIn } from '../../support/template-findings.ts';

interface Template {
  readonly Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>;
  readonly Outputs: Record<string, unknown>;
}

interface Role {
  readonly Policies: readonly { PolicyDocument: { Statement: readonly { Action: readonly string[] }[] } }[];
}

const existing = {
  LRS_DB_TYPE: 'postgres',
  LRS_DB_HOST: 'database.example.org',
  LRS_DB_USER: 'lrs',
  LRS_DB_PASSWORD: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:lrs-AbCdEf:password',
};
const withoutPassword = ({ LRS_DB_PASSWORD, ...rest }: typeof existing) => rest;
const everything = {
  DEPLOY_DATABASE: 'aurora',
  DEPLOY_DOMAIN: 'lrs.example.org',
  DEPLOY_CERTIFICATE_ARN: 'arn:aws:acm:eu-central-1:123456789012:certificate/abc',
  DEPLOY_HOSTED_ZONE_ID: 'Z0123456789',
  DEPLOY_ALARM_EMAIL: 'operator@example.org',
  DEPLOY_RESERVED_CONCURRENCY: '10',
  DEPLOY_THROTTLE_RATE: '50',
  LRS_JWT_COMMON_SECRET: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:tokens-AbCdEf',
};
const inSubnets = {
  ...withoutPassword(existing),
  LRS_DB_IAM_REGION: 'eu-central-1',
  LRS_DB_PROPERTIES: 'sslMode=verify-full',
  DEPLOY_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-0d1e2f3a',
  DEPLOY_SECURITY_GROUP_IDS: 'sg-0a1b2c3d',
  DEPLOY_DATABASE_IDENTIFIER: 'lrs',
  DEPLOY_MEMORY: '256',
};

const withLoadBalancer = {
  ...existing,
  DEPLOY_GATEWAY: 'alb',
  DEPLOY_ALB_SCHEME: 'internal',
  DEPLOY_ALB_SUBNET_IDS: 'subnet-0a1b2c3d,subnet-0d1e2f3a',
  DEPLOY_ALB_SECURITY_GROUP_IDS: 'sg-0a1b2c3d',
  DEPLOY_DOMAIN: 'lrs.example.org',
  DEPLOY_CERTIFICATE_ARN: 'arn:aws:acm:eu-central-1:123456789012:certificate/abc',
  DEPLOY_HOSTED_ZONE_ID: 'Z0123456789',
};

/** What Serverless makes of the settings, without AWS. */
async function packaged(settings: Readonly<Record<string, string>>) {
  const project = builtProjectWith();
  const { status, stdout, stderr } = serverless(['package', '--stage', 'prod'], project, settings);
  expect(status, stdout + stderr).toBe(0);
  const file = join(project, '.serverless/cloudformation-template-update-stack.json');
  const template: Template = JSON.parse(readFileSync(file, 'utf8'));
  return { file, template };
}

/** Serverless adds dependencies that are superfluous. */
const findingsOf = (file: string) => findingsIn(file, ['W3005']);

const typesIn = ({ Resources }: Template): string[] => Object.values(Resources).map(({ Type }) => Type);

describe('the CloudFormation template', () => {
  it('is valid with an existing database, and has no network then', async () => {
    const { file, template } = await packaged(existing);
    expect(findingsOf(file)).toEqual([]);
    expect(typesIn(template)).not.toContain('AWS::EC2::VPC');
    expect(JSON.stringify(template)).toContain('database.example.org');
  });

  it('is valid with a database in subnets of the account', async () => {
    const { file, template } = await packaged(inSubnets);
    expect(findingsOf(file)).toEqual([]);
    const functions = Object.values(template.Resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    expect(functions.map(({ Properties }) => Properties.VpcConfig)).toEqual(
      functions.map(() => ({
        SecurityGroupIds: ['sg-0a1b2c3d'],
        SubnetIds: ['subnet-0a1b2c3d', 'subnet-0d1e2f3a'],
      })),
    );
    expect(functions.map(({ Properties }) => Properties.MemorySize)).toEqual(functions.map(() => 256));
    expect(template.Resources.ConnectionAlarm).toBeDefined();
    expect(JSON.stringify(template.Resources.IamRoleLambdaExecution)).toContain(
      `rds-db:eu-central-1:\${AWS::AccountId}:dbuser:*/lrs`,
    );
  });

  it('is valid with a database, a host name and alarms of its own', async () => {
    const { file, template } = await packaged(everything);
    expect(findingsOf(file)).toEqual([]);
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(120);
    expect(JSON.stringify(template)).toContain('"rate(60 minutes)"');
    expect(typesIn(template)).toEqual(
      expect.arrayContaining([
        'AWS::EC2::VPC',
        'AWS::RDS::DBCluster',
        'AWS::SNS::Topic',
        'AWS::ApiGatewayV2::DomainName',
        'AWS::Route53::RecordSet',
      ]),
    );
    expect(template.Resources.HttpApiStage?.Properties.DefaultRouteSettings).toMatchObject({
      ThrottlingRateLimit: 50,
    });
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining(['Address', 'FirstPasswordSecret', 'DomainTarget']),
    );
  });
});

describe('the bucket of the CloudFormation template', () => {
  it('is valid, private and kept, and the functions may use nothing but its attachments', async () => {
    const settings = { ...everything, DEPLOY_ATTACHMENTS: 's3' };
    const { file, template } = await packaged(settings);
    expect(findingsOf(file)).toEqual([]);
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(120);
    expect(template.Resources.AttachmentBucket).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: { BlockPublicPolicy: true, RestrictPublicBuckets: true },
      },
    });
    const role = template.Resources.IamRoleLambdaExecution?.Properties as unknown as Role;
    const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statements.filter(({ Action }) => JSON.stringify(Action).includes('s3:'))).toEqual([
      {
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        Resource: { 'Fn::Sub': `\${AttachmentBucket.Arn}/attachments/*` },
      },
      { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: { 'Fn::Sub': `\${AttachmentBucket.Arn}` } },
    ]);
    expect(template.Resources.BucketEndpoint?.Properties).toMatchObject({ VpcEndpointType: 'Gateway' });
    expect(template.Resources.ResourcesLambdaFunction?.Properties.Environment).toMatchObject({
      Variables: { LRS_ATTACHMENT_BUCKET: { Ref: 'AttachmentBucket' } },
    });
    expect(Object.keys(template.Outputs)).toContain('AttachmentBucketName');
  });

  it('may be one that exists', async () => {
    const { file, template } = await packaged({ ...existing, LRS_ATTACHMENT_BUCKET: 'my-attachments' });
    expect(findingsOf(file)).toEqual([]);
    expect(typesIn(template)).not.toContain('AWS::EC2::VPCEndpoint');
    expect(JSON.stringify(template.Resources.IamRoleLambdaExecution)).toContain(
      `arn:\${AWS::Partition}:s3:::my-attachments/attachments/*`,
    );
  });
});

describe('the CloudFormation template without an HTTP API', () => {
  it('is valid with a function URL, which everybody may call', async () => {
    const { file, template } = await packaged({ DEPLOY_DATABASE: 'aurora', DEPLOY_GATEWAY: 'function-url' });
    expect(findingsOf(file)).toEqual([]);
    expect(typesIn(template).filter((type) => type.startsWith('AWS::ApiGateway'))).toEqual([]);
    expect(template.Resources.AllLambdaFunctionUrl?.Properties).toMatchObject({ AuthType: 'NONE' });
    const permissions = Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Permission')
      .filter(({ Properties }) => JSON.stringify(Properties.FunctionName).includes('AllLambdaFunction'))
      .map(({ Properties }) => Properties.Action);
    expect(permissions).toEqual(['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction']);
    expect(JSON.stringify(template.Resources.ServerErrorAlarm)).toContain('Url5xxCount');
    expect(JSON.stringify(template.Outputs.Address)).toContain('AllLambdaFunctionUrl');
  });

  it('is valid with a load balancer, which serves the host name and nothing but HTTPS', async () => {
    const { file, template } = await packaged(withLoadBalancer);
    expect(findingsOf(file)).toEqual([]);
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(120);
    expect(typesIn(template).filter((type) => type.startsWith('AWS::ApiGateway'))).toEqual([]);
    expect(template.Resources.LoadBalancer?.Properties).toMatchObject({
      Scheme: 'internal',
      Subnets: ['subnet-0a1b2c3d', 'subnet-0d1e2f3a'],
      SecurityGroups: ['sg-0a1b2c3d'],
    });
    const listeners = Object.values(template.Resources).filter(({ Type }) => Type.endsWith('::Listener'));
    expect(listeners.map(({ Properties }) => Properties.Protocol)).toEqual(['HTTPS']);
    expect(JSON.stringify(template.Resources.DomainRecord)).toContain('CanonicalHostedZoneID');
    expect(JSON.stringify(template.Resources.ServerErrorAlarm)).toContain('HTTPCode_ELB_5XX_Count');
    const { Environment } = template.Resources.AllLambdaFunction?.Properties ?? {};
    expect(Environment).toMatchObject({ Variables: { LRS_STMT_GET_MAX_BYTES: '500000' } });
  });

  it('lets pages behind a load balancer have the size that a setting names', async () => {
    const { template } = await packaged({ ...withLoadBalancer, LRS_STMT_GET_MAX_BYTES: '300000' });
    const { Environment } = template.Resources.AllLambdaFunction?.Properties ?? {};
    expect(Environment).toMatchObject({ Variables: { LRS_STMT_GET_MAX_BYTES: '300000' } });
  });
});

describe('the functions of the template', () => {
  it('run on arm64 and may read nothing but the secrets that settings name and the stack makes', async () => {
    const { template } = await packaged(everything);
    const role = template.Resources.IamRoleLambdaExecution?.Properties as unknown as Role;
    const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statements.filter(({ Action }) => !Action.join().startsWith('logs:'))).toEqual([
      {
        Effect: 'Allow',
        Action: ['secretsmanager:GetSecretValue'],
        Resource: [
          everything.LRS_JWT_COMMON_SECRET,
          { 'Fn::GetAtt': ['Database', 'MasterUserSecret.SecretArn'] },
          { Ref: 'FirstPassword' },
        ],
      },
    ]);
    const functions = Object.values(template.Resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x' });
    }
  });
});
