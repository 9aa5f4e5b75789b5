const { bucketResources, bucketStatements } = require('./attachments.cjs');
const { alarmResources } = require('./alarms.cjs');
const { addressOf, domainResources } = require('./domain.cjs');
const { loadBalancerResources } = require('./load-balancer.cjs');
const { logicalId } = require('./logical-id.cjs');
const { generatedPassword, firstUser } = require('./service.cjs');

const parameter = (Description, more) => ({ Type: 'String', Description, ...more });

const parameters = {
  DatabaseType: parameter('The database engine', {
    Default: 'postgres',
    AllowedValues: ['postgres', 'mariadb'],
  }),
  DatabaseHost: parameter('Host of the database server'),
  DatabaseName: parameter('Name of the database', { Default: 'lrs' }),
  DatabaseUser: parameter('User of the database', { Default: 'lrs' }),
  DatabaseLoginArn: parameter('ARN of a secret of Secrets Manager that is a JSON object with a password'),
  DatabaseProperties: parameter('TLS to the database (docs/configuration.md, dbProperties)', {
    Default: 'sslMode=verify-full&sslRootCert=/var/runtime/ca-cert.pem',
  }),
  SubnetIds: {
    Type: 'CommaDelimitedList',
    Description: 'Subnets of the functions; empty: none',
    Default: '',
  },
  SecurityGroupIds: { Type: 'CommaDelimitedList', Description: 'Security groups in them', Default: '' },
};

const databaseEnvironment = {
  LRS_DB_TYPE: { Ref: 'DatabaseType' },
  LRS_DB_HOST: { Ref: 'DatabaseHost' },
  LRS_DB_NAME: { Ref: 'DatabaseName' },
  LRS_DB_USER: { Ref: 'DatabaseUser' },
  LRS_DB_PASSWORD: { 'Fn::Sub': `\${DatabaseLoginArn}:password` },
  LRS_DB_PROPERTIES: { Ref: 'DatabaseProperties' },
};

const firstEnvironment = {
  LRS_ADMIN_USER_DEFAULT: firstUser,
  LRS_ADMIN_PASS_DEFAULT: { Ref: 'FirstPassword' },
};

/** The event of SAM for one of serverless.yml. */
function eventFor({ httpApi, schedule }) {
  if (schedule !== undefined) return { Type: 'Schedule', Properties: { Schedule: schedule } };
  const [Method, Path] = httpApi.split(' ');
  const route = Path === undefined ? {} : { Method, Path };
  return { Type: 'HttpApi', Properties: { ApiId: { Ref: 'HttpApi' }, ...route } };
}

function functionFor(name, { handler, timeout, events = [] }) {
  const own = name === 'migrate' ? { Environment: { Variables: firstEnvironment } } : {};
  return {
    Type: 'AWS::Serverless::Function',
    Properties: {
      // The bundles lie in the folder that is packed.
      Handler: handler.replace(/^dist\//, ''),
      Role: { 'Fn::GetAtt': ['FunctionsRole', 'Arn'] },
      ...(timeout !== undefined && { Timeout: timeout }),
      ...own,
      ...(events.length > 0 && {
        Events: Object.fromEntries(events.map((event, index) => [`Event${index + 1}`, eventFor(event)])),
      }),
    },
  };
}

const publicPermission = (id, Action, condition) => ({
  Type: 'AWS::Lambda::Permission',
  Properties: { FunctionName: { Ref: id }, Action, Principal: '*', ...condition },
});

/** The URL of a function, which everybody may call: AWS wants both permissions for that. */
function urlFor(name, { url }) {
  if (url === undefined) return {};
  const id = logicalId(name);
  return {
    [`${id}Url`]: {
      Type: 'AWS::Lambda::Url',
      Properties: {
        AuthType: 'NONE',
        TargetFunctionArn: { 'Fn::GetAtt': [id, 'Arn'] },
        ...(url.invokeMode !== undefined && { InvokeMode: url.invokeMode }),
      },
    },
    [`${id}UrlPermission`]: publicPermission(id, 'lambda:InvokeFunctionUrl', { FunctionUrlAuthType: 'NONE' }),
    [`${id}InvokePermission`]: publicPermission(id, 'lambda:InvokeFunction', { InvokedViaFunctionUrl: true }),
  };
}

const readSecrets = {
  Effect: 'Allow',
  Action: 'secretsmanager:GetSecretValue',
  Resource: [{ Ref: 'DatabaseLoginArn' }, { Ref: 'FirstPassword' }],
};

/** One role for all functions, as Serverless makes it. */
const functionsRole = (statements) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
      ],
    },
    ManagedPolicyArns: [
      {
        'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole`,
      },
    ],
    Policies: [{ PolicyName: 'functions', PolicyDocument: { Version: '2012-10-17', Statement: statements } }],
  },
});

function globals({ runtime, architecture, memorySize, timeout, environment }) {
  const orNone = (value) => ({ 'Fn::If': ['InNetwork', value, { Ref: 'AWS::NoValue' }] });
  return {
    Function: {
      CodeUri: 'dist/',
      Runtime: runtime,
      Architectures: [architecture],
      MemorySize: memorySize,
      Timeout: timeout,
      Environment: { Variables: { ...environment, ...databaseEnvironment } },
      VpcConfig: orNone({
        SubnetIds: { Ref: 'SubnetIds' },
        SecurityGroupIds: { Ref: 'SecurityGroupIds' },
      }),
    },
  };
}

/**
 * The template of AWS SAM for the functions of serverless.yml, with a database that exists.
 * @param service what `serverless print` shows
 * @param deployment the settings of the deployment
 */
function samTemplate({ provider, functions }, deployment) {
  const names = Object.keys(functions);
  const forRequests = names.filter((name) => name !== 'migrate' && name !== 'background');
  const limits = {
    ThrottlingRateLimit: deployment.throttleRate,
    ThrottlingBurstLimit: deployment.throttleBurst,
  };
  // The HTTP API of this template has no host name of its own.
  const { domain, ...withoutName } = deployment;
  const samAddress = addressOf(deployment.gateway === 'http-api' ? withoutName : deployment);
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    Description: 'serverless-lrs: an xAPI Learning Record Store. Generated by npm run generate:sam.',
    Parameters: parameters,
    Conditions: {
      InNetwork: { 'Fn::Not': [{ 'Fn::Equals': [{ 'Fn::Join': ['', { Ref: 'SubnetIds' }] }, ''] }] },
    },
    Globals: globals(provider),
    Resources: {
      ...(deployment.gateway === 'http-api'
        ? { HttpApi: { Type: 'AWS::Serverless::HttpApi', Properties: { DefaultRouteSettings: limits } } }
        : { ...loadBalancerResources(deployment), ...domainResources(deployment) }),
      FunctionsRole: functionsRole([readSecrets, ...bucketStatements(deployment, provider.environment)]),
      ...(deployment.attachments === 's3' && bucketResources),
      ...generatedPassword,
      ...Object.fromEntries(names.map((name) => [logicalId(name), functionFor(name, functions[name])])),
      ...Object.assign({}, ...names.map((name) => urlFor(name, functions[name]))),
      ...alarmResources(deployment, forRequests, provider.timeout),
    },
    Outputs: {
      Address: { Description: 'Address of the LRS', Value: samAddress },
      MigrateFunction: {
        Description: 'To be invoked after each deployment, before requests arrive',
        Value: { Ref: logicalId('migrate') },
      },
      FirstPasswordSecret: {
        Description: 'Secret that holds the password of the first account, admin',
        Value: { Ref: 'FirstPassword' },
      },
    },
  };
}

module.exports = { samTemplate };
