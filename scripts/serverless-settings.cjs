const { describeService } = require('../ops/aws/service.cjs');
const { readConfigurationFile } = require('./configuration-file.cjs');

/**
 * What `serverless.yml` takes from the environment in which it is deployed. Every setting of docs/configuration.md that is set
 * there is handed on to the functions, recognised by its prefix, so that none can be forgotten; one that is empty counts as
 * not set, as everywhere. AWS takes 4 kB of variables at most: what is longer belongs into config/lrs.json.
 */
const settings = Object.entries(process.env).filter(
  ([name, value]) => /^LRS(QL)?_(?!TEST_)/.test(name) && value !== '',
);

const environment = Object.fromEntries(settings);

/** Serverless declares the routes, so it has to know this setting; file and environment count as in the server. */
const prefix =
  environment.LRS_URL_PREFIX ?? environment.LRSQL_URL_PREFIX ?? settingInFile('urlPrefix') ?? '/xapi';

/** For the warning about a database that functions can't share. */
const databaseType =
  environment.LRS_DB_TYPE ?? environment.LRSQL_DB_TYPE ?? settingInFile('dbType') ?? 'sqlite';

function settingInFile(name) {
  const groups = Object.values(readConfigurationFile(environment));
  return groups.map((group) => group?.[name]).find((value) => typeof value === 'string');
}

const service = describeService(
  { ...environment, LRS_URL_PREFIX: prefix },
  process.env,
  databaseType === 'sqlite',
);

/** CloudWatch wants the singular for one. */
function scheduleOf({ backgroundMinutes: minutes }) {
  return minutes === 1 ? 'rate(1 minute)' : `rate(${minutes} minutes)`;
}

module.exports = {
  prefix,
  databaseType: service.environment.LRS_DB_TYPE ?? databaseType,
  service,
  environment: service.environment,
  firstEnvironment: service.firstEnvironment,
  vpc: service.vpc,
  statements: service.statements,
  deployment: service.deployment,
  schedule: scheduleOf(service.deployment),
};
