const { bucketEnvironment, bucketStatements, usesBucket } = require('./attachments.cjs');
const { readDeployment } = require('./settings.cjs');
const { auroraEnvironment, masterSecret } = require('./database.cjs');
const { networkOfFunctions } = require('./network.cjs');

/** Settings with which the first account and the first key pair are made: only the function that migrates needs them. */
const firstSettings = /^LRS(QL)?_(ADMIN_USER|ADMIN_PASS|API_KEY|API_SECRET)_DEFAULT$/;

/** The ARN of a secret without the member that may follow it. */
const secretArn = /^(arn:aws[a-z-]*:(?:secretsmanager:[^:]+:\d+:secret|ssm:[^:]+:\d+):[^:]+)/;

/** The account that is made when the settings name none. */
const firstUser = 'admin';

/** @param {Readonly<Record<string, string>>} settings those of the LRS */
const namesFirstAccount = (settings) =>
  Object.keys(settings).some((name) => /^LRS(QL)?_ADMIN_(USER|PASS)_DEFAULT$/.test(name));

const generatedPassword = {
  FirstPassword: {
    Type: 'AWS::SecretsManager::Secret',
    Properties: {
      Description: 'Password of the first account of the LRS',
      GenerateSecretString: { PasswordLength: 32, ExcludeCharacters: '"\'\\/@`' },
    },
  },
};

/** What the functions may do beside writing their logs: read the secrets that settings name, connect, and use their bucket. */
function statementsFor(environment, deployment, partOfStack) {
  const named = Object.values(environment).flatMap((value) => secretArn.exec(value)?.[1] ?? []);
  const own = [...(deployment.database === 'aurora' ? [masterSecret] : []), ...partOfStack];
  const ofService = (service) => named.filter((arn) => arn.split(':')[2] === service);
  const secrets = [...new Set(ofService('secretsmanager')), ...own];
  const parameters = [...new Set(ofService('ssm'))];
  return [
    ...(secrets.length > 0
      ? [{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: secrets }]
      : []),
    ...(parameters.length > 0 ? [{ Effect: 'Allow', Action: 'ssm:GetParameter', Resource: parameters }] : []),
    ...iamConnection(environment),
    ...bucketStatements(deployment, environment),
  ];
}

/** The right to connect with a token, where the settings ask for that, as the one user of the database. */
function iamConnection(settings) {
  const setting = (name) => settings[`LRS_${name}`] ?? settings[`LRSQL_${name}`];
  const region = setting('DB_IAM_REGION');
  if (region === undefined) return [];
  const users = `arn:\${AWS::Partition}:rds-db:${region}:\${AWS::AccountId}:dbuser:*/${setting('DB_USER')}`;
  return [{ Effect: 'Allow', Action: 'rds-db:connect', Resource: { 'Fn::Sub': users } }];
}

function networkFor({ database, subnetIds, securityGroupIds }) {
  if (database === 'aurora') return networkOfFunctions;
  return subnetIds === undefined ? undefined : { subnetIds, securityGroupIds };
}

/** A load balancer takes an answer of 1 MB of JSON from a function, in which each quote of a text counts twice. */
const pageEnvironment = ({ gateway }, settings) =>
  gateway === 'alb' && !('LRSQL_STMT_GET_MAX_BYTES' in settings) ? { LRS_STMT_GET_MAX_BYTES: '500000' } : {};

/**
 * What the functions get from the settings of a deployment.
 * @param {Readonly<Record<string, string>>} lrsSettings those of the LRS that are set, by the names of their variables
 * @param {Readonly<Record<string, string | undefined>>} env the whole environment
 * @param {boolean} isLocal whether the database is a file: then there is nothing that only the function which migrates needs
 */
function describeService(lrsSettings, env, isLocal) {
  const { deployment } = readDeployment(env);
  const hasOwnDatabase = deployment.database === 'aurora';
  const isMigrated = hasOwnDatabase || !isLocal;
  const makesAccount = isMigrated && !namesFirstAccount(lrsSettings);
  const entries = Object.entries(lrsSettings);
  const isForAll = ([name]) => !isMigrated || !firstSettings.test(name);
  return {
    deployment,
    environment: {
      ...(hasOwnDatabase && auroraEnvironment),
      ...(deployment.attachments === 's3' && bucketEnvironment),
      ...pageEnvironment(deployment, lrsSettings),
      ...Object.fromEntries(entries.filter(isForAll)),
    },
    firstEnvironment: {
      ...(makesAccount && {
        LRS_ADMIN_USER_DEFAULT: firstUser,
        LRS_ADMIN_PASS_DEFAULT: { Ref: 'FirstPassword' },
      }),
      ...Object.fromEntries(entries.filter((entry) => !isForAll(entry))),
    },
    vpc: networkFor(deployment),
    statements: statementsFor(lrsSettings, deployment, makesAccount ? [{ Ref: 'FirstPassword' }] : []),
    ownResources: makesAccount ? generatedPassword : {},
    usesBucket: usesBucket(deployment, lrsSettings),
  };
}

module.exports = { describeService, firstUser, generatedPassword };
