const { logicalId } = require('./logical-id.cjs');

/** Seconds. */
const period = 300;
/** How many functions the sum of an alarm takes. */
const mostMetrics = 9;

const metric = ({ Namespace, MetricName, Dimensions, Stat }) => ({
  Namespace,
  MetricName,
  Dimensions,
  Statistic: Stat,
  Period: period,
});

const alarm = (AlarmDescription, watched, Threshold, periods = 1) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmDescription,
    ...watched,
    Threshold,
    EvaluationPeriods: periods,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  },
});

/** One number over all functions: an expression of `m0`, `m1` … */
function overFunctions(names, MetricName, Stat, expression) {
  const watched = names.slice(0, mostMetrics);
  const metrics = watched.map((name, index) => ({
    Id: `m${index}`,
    ReturnData: false,
    MetricStat: {
      Period: period,
      Stat,
      Metric: {
        Namespace: 'AWS/Lambda',
        MetricName,
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: logicalId(name) } }],
      },
    },
  }));
  const Expression = `${expression}([${metrics.map(({ Id }) => Id).join(',')}])`;
  return { Metrics: [{ Id: 'all', Label: MetricName, Expression, ReturnData: true }, ...metrics] };
}

/** Answers with 5xx, by gateway: of a load balancer those that it gives itself, too. */
const serverErrors = {
  'http-api': metric({
    Namespace: 'AWS/ApiGateway',
    MetricName: '5xx',
    Dimensions: [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }],
    Stat: 'Sum',
  }),
  'function-url': metric({
    Namespace: 'AWS/Lambda',
    MetricName: 'Url5xxCount',
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: logicalId('all') } }],
    Stat: 'Sum',
  }),
  alb: {
    Metrics: [
      { Id: 'all', Label: '5xx', Expression: 'SUM([FILL(m0, 0), FILL(m1, 0)])', ReturnData: true },
      ...['HTTPCode_Target_5XX_Count', 'HTTPCode_ELB_5XX_Count'].map((MetricName, index) => ({
        Id: `m${index}`,
        ReturnData: false,
        MetricStat: {
          Period: period,
          Stat: 'Sum',
          Metric: {
            Namespace: 'AWS/ApplicationELB',
            MetricName,
            Dimensions: [
              { Name: 'LoadBalancer', Value: { 'Fn::GetAtt': ['LoadBalancer', 'LoadBalancerFullName'] } },
            ],
          },
        },
      })),
    ],
  },
};

const gatewayAlarm = ({ gateway }) => alarm('Requests were answered with 5xx.', serverErrors[gateway], 0);

function connectionAlarm({ database, databaseIdentifier, databaseMaxConnections }) {
  const Dimensions =
    database === 'aurora'
      ? [{ Name: 'DBClusterIdentifier', Value: { Ref: 'Database' } }]
      : [{ Name: 'DBInstanceIdentifier', Value: databaseIdentifier }];
  return alarm(
    'The database has nearly no connection left.',
    metric({ Namespace: 'AWS/RDS', MetricName: 'DatabaseConnections', Dimensions, Stat: 'Maximum' }),
    Math.floor(databaseMaxConnections * 0.8),
  );
}

/**
 * Alarms over what answers requests.
 * @param {readonly string[]} functions their names, the most important first.
 * @param {number} timeout of a function, in seconds.
 */
function alarmResources(deployment, functions, timeout) {
  if (!deployment.alarms) return {};
  const watchesDatabase = deployment.database === 'aurora' || deployment.databaseIdentifier !== undefined;
  const alarms = {
    ServerErrorAlarm: gatewayAlarm(deployment),
    FunctionErrorAlarm: alarm(
      'Functions failed or ran out of time.',
      overFunctions(functions, 'Errors', 'Sum', 'SUM'),
      0,
    ),
    ThrottleAlarm: alarm(
      'Calls were refused because too many instances of a function ran.',
      overFunctions(functions, 'Throttles', 'Sum', 'SUM'),
      0,
    ),
    DurationAlarm: alarm(
      'One call of a hundred took more than half of the time limit.',
      overFunctions(functions, 'Duration', 'p99', 'MAX'),
      timeout * 500,
      3,
    ),
    ...(watchesDatabase && { ConnectionAlarm: connectionAlarm(deployment) }),
  };
  if (deployment.alarmEmail === undefined) return alarms;
  for (const { Properties } of Object.values(alarms)) Properties.AlarmActions = [{ Ref: 'AlarmTopic' }];
  const Subscription = [{ Protocol: 'email', Endpoint: deployment.alarmEmail }];
  return { AlarmTopic: { Type: 'AWS::SNS::Topic', Properties: { Subscription } }, ...alarms };
}

module.exports = { alarmResources };
