/**
 * The settings of a deployment to AWS. They come from the environment, as the settings of the LRS (`LRS_…`) do, or from the
 * file `.env.STAGE`. docs/deploy-aws.md lists them; a test holds it equal.
 */

/** @typedef {{ names: string, fits: (text: string) => boolean, value: (text: string) => unknown }} Kind */

/** @returns {Kind} */
const choice = (...values) => ({
  names: `one of ${values.join(', ')}`,
  fits: (text) => values.includes(text),
  value: (text) => text,
});
/** @returns {Kind} */
const integer = (least, most) => ({
  names: `a whole number from ${least} to ${most}`,
  fits: (text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most,
  value: Number,
});
/** @returns {Kind} */
const text = (names, pattern) => ({ names, fits: (given) => pattern.test(given), value: (given) => given });
/** @returns {Kind} */
const list = (names, pattern) => ({
  names: `${names}, separated by commas`,
  fits: (given) => given.split(',').every((item) => pattern.test(item.trim())),
  value: (given) => given.split(',').map((item) => item.trim()),
});

const subnetId = /^subnet-([0-9a-f]{8}|[0-9a-f]{17})$/;
const securityGroupId = /^sg-([0-9a-f]{8}|[0-9a-f]{17})$/;

/** The numbers of days that CloudWatch Logs takes. */
const retentions = '1 3 5 7 14 30 60 90 120 150 180 365 400 545 731 1096 1827 2192 2557 2922 3288 3653'.split(
  ' ',
);

/** @type {Record<string, { kind: Kind, default: string, meaning: string }>} */
const settings = {
  DEPLOY_REGION: {
    kind: text('the name of a region', /^[a-z]{2}(-[a-z]+)+-\d$/),
    default: 'eu-central-1',
    meaning: 'The region of AWS.',
  },
  DEPLOY_GATEWAY: {
    kind: choice('http-api', 'function-url', 'alb'),
    default: 'http-api',
    meaning: 'What clients call: see [Which gateway](#which-gateway).',
  },
  DEPLOY_DATABASE: {
    kind: choice('existing', 'aurora'),
    default: 'existing',
    meaning:
      '`existing`: the database that `LRS_DB_HOST` and its companions name. `aurora`: a network of its own with Aurora Postgres Serverless v2 is made.',
  },
  DEPLOY_AURORA_MAX_ACU: {
    kind: integer(1, 256),
    default: '4',
    meaning: 'Aurora: how far it grows, in capacity units (2 GB of memory each).',
  },
  DEPLOY_AURORA_PAUSE_SECONDS: {
    kind: text(
      '0, or a whole number from 300 to 86400',
      /^(0|[3-9]\d{2}|\d{4}|[1-7]\d{4}|8[0-5]\d{3}|86[0-3]\d{2}|86400)$/,
    ),
    default: '300',
    meaning:
      'Aurora: it pauses, and costs storage only, after so many seconds without a connection; the next request waits some 15 seconds. 0: never, it keeps half a unit.',
  },
  DEPLOY_SUBNET_IDS: {
    kind: list('ids of subnets', subnetId),
    default: '',
    meaning: 'Existing database: the private subnets from which the functions reach it. Empty: no VPC.',
  },
  DEPLOY_SECURITY_GROUP_IDS: {
    kind: list('ids of security groups', securityGroupId),
    default: '',
    meaning: 'Existing database: the security groups of the functions in these subnets.',
  },
  DEPLOY_DATABASE_IDENTIFIER: {
    kind: text('the identifier of an RDS instance', /^[A-Za-z][A-Za-z0-9-]{0,62}$/),
    default: '',
    meaning: 'Existing database on RDS: the instance whose connections an alarm watches.',
  },
  DEPLOY_DATABASE_MAX_CONNECTIONS: {
    kind: integer(10, 100_000),
    default: '100',
    meaning: 'How many connections the database takes: the alarm is at 80 % of them.',
  },
  DEPLOY_BACKGROUND_MINUTES: {
    kind: integer(1, 1440),
    default: '',
    meaning:
      'How often the function runs that does what no request waits for (reactions, statistics, erasures), in minutes. Empty: 1, and 60 where Aurora pauses, because each run wakes it.',
  },
  DEPLOY_ATTACHMENTS: {
    kind: choice('database', 's3'),
    default: 'database',
    meaning:
      'Where large attachments lie. `s3`: a bucket is made, into which clients upload directly ([Large attachments](operation.md#large-attachments)); those of at most 256 KiB still lie in the database. For a bucket that exists set `LRS_ATTACHMENT_BUCKET` instead.',
  },
  DEPLOY_ALB_SCHEME: {
    kind: choice('internet-facing', 'internal'),
    default: 'internet-facing',
    meaning:
      'Load balancer: whether it is reached from the internet, or from the network of its subnets only.',
  },
  DEPLOY_ALB_SUBNET_IDS: {
    kind: list('ids of subnets', subnetId),
    default: '',
    meaning:
      'Load balancer: at least two subnets in different zones; public ones (with an internet gateway) when it is reached from the internet.',
  },
  DEPLOY_ALB_SECURITY_GROUP_IDS: {
    kind: list('ids of security groups', securityGroupId),
    default: '',
    meaning: 'Load balancer: its security groups, which must let clients in on port 443.',
  },
  DEPLOY_MEMORY: {
    kind: integer(128, 10_240),
    default: '512',
    meaning: 'Memory of each function (MB); its share of a processor grows with it.',
  },
  DEPLOY_RESERVED_CONCURRENCY: {
    kind: integer(0, 1000),
    default: '0',
    meaning:
      'Most instances of each function, which have a connection to the database each. 0: as many as the account has.',
  },
  DEPLOY_THROTTLE_RATE: {
    kind: integer(1, 10_000),
    default: '500',
    meaning: 'HTTP API: requests per second that it lets through; the rest get 429.',
  },
  DEPLOY_THROTTLE_BURST: {
    kind: integer(1, 5000),
    default: '1000',
    meaning: 'HTTP API: requests that it lets through at once.',
  },
  DEPLOY_LOG_RETENTION_DAYS: {
    kind: { ...choice(...retentions), value: Number },
    default: '30',
    meaning: 'How long logs are kept (days).',
  },
  DEPLOY_ALARMS: {
    kind: { ...choice('true', 'false'), value: (given) => given === 'true' },
    default: 'true',
    meaning: 'Whether alarms watch failures (5xx), throttled calls, durations and connections.',
  },
  DEPLOY_ALARM_EMAIL: {
    kind: text('an e-mail address', /^[^\s@]+@[^\s@]+\.[^\s@]+$/),
    default: '',
    meaning:
      'Who gets the alarms. AWS asks that address to confirm. Empty: they are shown in CloudWatch only.',
  },
  DEPLOY_DOMAIN: {
    kind: text('the name of a host', /^([a-z0-9-]+\.)+[a-z]{2,}$/),
    default: '',
    meaning:
      'HTTP API and load balancer: a host name of your own. It needs DEPLOY_CERTIFICATE_ARN. A load balancer needs both.',
  },
  DEPLOY_CERTIFICATE_ARN: {
    kind: text('the ARN of a certificate', /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/),
    default: '',
    meaning: 'The certificate for that name, in Certificate Manager of the same region.',
  },
  DEPLOY_HOSTED_ZONE_ID: {
    kind: text('the id of a hosted zone', /^Z[A-Z0-9]+$/),
    default: '',
    meaning: 'The hosted zone of Route 53 in which the name is entered. Empty: you enter it elsewhere.',
  },
};

/** `DEPLOY_AURORA_MAX_ACU` → `auroraMaxAcu`. */
const memberName = (name) =>
  name
    .slice('DEPLOY_'.length)
    .toLowerCase()
    .replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/**
 * @typedef {{
 *   region: string, gateway: 'http-api' | 'function-url' | 'alb', database: 'existing' | 'aurora', auroraMaxAcu: number, auroraPauseSeconds: string,
 *   subnetIds?: string[], securityGroupIds?: string[], databaseIdentifier?: string, databaseMaxConnections: number,
 *   attachments: 'database' | 's3', albScheme: 'internet-facing' | 'internal', albSubnetIds?: string[], albSecurityGroupIds?: string[],
 *   backgroundMinutes: number, memory: number, reservedConcurrency: number, throttleRate: number, throttleBurst: number, logRetentionDays: number,
 *   alarms: boolean, alarmEmail?: string, domain?: string, certificateArn?: string, hostedZoneId?: string,
 * }} Deployment
 */

/**
 * What the environment sets, complete with defaults; undefined stands for a setting that is empty.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ deployment: Deployment, problems: string[] }} with one sentence per mistake.
 */
function readDeployment(env) {
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith('DEPLOY_') && !Object.hasOwn(settings, name))
    .map((name) => `${name} is not a known setting; docs/deploy-aws.md lists all.`);
  const deployment = /** @type {any} */ ({});
  const misfits = [];
  for (const [name, { kind, default: fallback }] of Object.entries(settings)) {
    const given = env[name] || fallback;
    deployment[memberName(name)] = given === '' ? undefined : kind.value(given);
    if (given !== '' && !kind.fits(given)) misfits.push(`${name} must be ${kind.names}, not "${given}".`);
  }
  deployment.backgroundMinutes ??= pauses(deployment) ? 60 : 1;
  return { deployment, problems: [...unknown, ...misfits, ...contradictions(deployment, env)] };
}

const pauses = ({ database, auroraPauseSeconds }) => database === 'aurora' && auroraPauseSeconds !== '0';

/** Settings that are fine one by one but not together. */
function contradictions(deployment, env) {
  const problems = [];
  const given = (name) => env[`LRS_${name}`] || env[`LRSQL_${name}`];
  if (deployment.database === 'aurora') {
    const own = ['DB_TYPE', 'DB_HOST', 'DB_PORT', 'DB_NAME', 'DB_USER', 'DB_PASSWORD'].filter(given);
    for (const name of own) {
      problems.push(
        `LRS_${name} is set, but DEPLOY_DATABASE=aurora makes a database with values of its own.`,
      );
    }
    if (deployment.subnetIds || deployment.securityGroupIds) {
      problems.push('DEPLOY_SUBNET_IDS and DEPLOY_SECURITY_GROUP_IDS are for DEPLOY_DATABASE=existing only.');
    }
  }
  if (deployment.attachments === 's3') {
    for (const name of ['ATTACHMENT_BUCKET', 'ATTACHMENT_REGION', 'ATTACHMENT_ENDPOINT'].filter(given)) {
      problems.push(`LRS_${name} is set, but DEPLOY_ATTACHMENTS=s3 makes a bucket with values of its own.`);
    }
  }
  if (!deployment.subnetIds !== !deployment.securityGroupIds) {
    problems.push('DEPLOY_SUBNET_IDS and DEPLOY_SECURITY_GROUP_IDS go together.');
  }
  if (!deployment.domain !== !deployment.certificateArn) {
    problems.push('DEPLOY_DOMAIN and DEPLOY_CERTIFICATE_ARN go together.');
  }
  if (deployment.hostedZoneId && !deployment.domain) {
    problems.push('DEPLOY_HOSTED_ZONE_ID has no effect without DEPLOY_DOMAIN.');
  }
  return [...problems, ...gatewayContradictions(deployment, env)];
}

/** Settings of one gateway beside another one, and what a load balancer can't do without. */
function gatewayContradictions(deployment, env) {
  const { gateway, domain, albSubnetIds = [], albSecurityGroupIds = [] } = deployment;
  const forGateways = [
    [['http-api'], ['DEPLOY_THROTTLE_RATE', 'DEPLOY_THROTTLE_BURST']],
    [['alb'], ['DEPLOY_ALB_SCHEME', 'DEPLOY_ALB_SUBNET_IDS', 'DEPLOY_ALB_SECURITY_GROUP_IDS']],
    [
      ['http-api', 'alb'],
      ['DEPLOY_DOMAIN', 'DEPLOY_CERTIFICATE_ARN'],
    ],
  ];
  const problems = forGateways
    .filter(([gateways]) => !gateways.includes(gateway))
    .flatMap(([gateways, names]) =>
      names
        .filter((name) => env[name])
        .map(
          (name) =>
            `${name} has no effect with DEPLOY_GATEWAY=${gateway}: it is for ${gateways.join(' and ')}.`,
        ),
    );
  if (gateway !== 'alb') return problems;
  if (domain === undefined) {
    problems.push(
      'DEPLOY_GATEWAY=alb needs DEPLOY_DOMAIN and DEPLOY_CERTIFICATE_ARN: a load balancer has no certificate for its own name.',
    );
  }
  if (new Set(albSubnetIds).size < 2 || albSecurityGroupIds.length === 0) {
    problems.push(
      'DEPLOY_GATEWAY=alb needs two subnets or more in DEPLOY_ALB_SUBNET_IDS, and DEPLOY_ALB_SECURITY_GROUP_IDS.',
    );
  }
  return problems;
}

module.exports = { deploymentSettings: settings, readDeployment };
