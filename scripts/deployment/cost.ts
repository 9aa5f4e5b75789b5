import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface PriceList {
  readonly region: string;
  readonly date: string;
  /** Whether they were compared with their sources on that date; otherwise they were entered from memory. */
  readonly checked: boolean;
  readonly prices: Readonly<Record<string, { readonly price: number; readonly source: string }>>;
}

/** What an estimate depends on. */
export interface CostSettings {
  readonly gateway: keyof typeof gatewayCosts;
  readonly database: string;
  readonly attachments: string;
  readonly auroraPauseSeconds: string;
  readonly auroraMaxAcu: number;
  readonly alarms: boolean;
  /** MB. */
  readonly memory: number;
}

const hoursPerMonth = 730;
/** Assumed of one request that stores a statement, with its answer: kB, milliseconds, kB of log lines, operations of Aurora. */
const request = { kilobytes: 2, milliseconds: 20, logKilobytes: 0.8, operations: 4 };
/** GB that a load balancer exchanges with functions in an hour for one of its capacity units. */
const gigabytesPerUnit = 0.4;
/** Watched by the alarms together; an alarm over several functions counts each of them. */
const watchedMetrics = 25;

const list: PriceList = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../ops/aws/prices.json'), 'utf8'),
);

function priceOf(name: string): number {
  const { price } = list.prices[name] ?? {};
  if (price === undefined) throw new Error(`ops/aws/prices.json has no ${name}`);
  return price;
}

/** USD of each gateway: a month without a request, and a million requests. */
const gatewayCosts = {
  'http-api': { month: 0, million: priceOf('httpApiMillionRequests') },
  'function-url': { month: 0, million: 0 },
  alb: {
    month: hoursPerMonth * priceOf('loadBalancerHour'),
    million: (request.kilobytes / gigabytesPerUnit) * priceOf('loadBalancerUnitHour'),
  },
} as const;

/** USD for a month without a single request, the capacity of Aurora apart. */
export function fixedCost({ gateway, database, alarms }: CostSettings): number {
  const aurora = database === 'aurora';
  const watching = alarms ? watchedMetrics * priceOf('alarmMetricMonth') : 0;
  const secrets = (aurora ? 2 : 1) * priceOf('secretMonth');
  return (
    gatewayCosts[gateway].month + watching + secrets + (aurora ? hoursPerMonth * priceOf('endpointHour') : 0)
  );
}

/**
 * USD for a million requests that store one statement each, the capacity of Aurora apart.
 * @param milliseconds that the function takes for one of them
 */
export function costPerMillion(
  { gateway, database, memory }: Pick<CostSettings, 'gateway' | 'database' | 'memory'>,
  milliseconds = request.milliseconds,
): number {
  const gigabyteSeconds = milliseconds * 1000 * (memory / 1024);
  return (
    gatewayCosts[gateway].million +
    priceOf('lambdaMillionRequests') +
    gigabyteSeconds * priceOf('lambdaGigabyteSecondArm') +
    request.logKilobytes * priceOf('logGigabyte') +
    (database === 'aurora' ? request.operations * priceOf('auroraMillionInputsOutputs') : 0)
  );
}

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

const reliability = list.checked
  ? `compared with AWS on ${list.date}`
  : `entered from memory on ${list.date} and not compared with AWS`;

/** The estimate in lines for people. */
export function costLines(settings: CostSettings): string[] {
  const lines = [
    `Estimated cost (list prices of ${list.region}, ${reliability}; ops/aws/prices.json names its pages):`,
    `  ${dollars(fixedCost(settings))} a month without a request`,
    `  ${dollars(costPerMillion(settings))} per million requests that store a statement each`,
  ];
  if (settings.attachments === 's3') {
    lines.push(
      `  Large attachments: $${priceOf('s3GigabyteMonth')} per GB and month, and their way to the internet`,
    );
  }
  if (settings.database !== 'aurora') return [...lines, '  and what your database costs'];
  const hour = priceOf('auroraUnitHour');
  const idle =
    Number(settings.auroraPauseSeconds) === 0
      ? `at least ${dollars(hoursPerMonth * 0.5 * hour)} a month`
      : 'nothing while it is paused';
  return [
    ...lines,
    `  Aurora: ${dollars(hour)} per unit and hour, ${idle}, at most ${dollars(settings.auroraMaxAcu * hour)} an hour; ${dollars(priceOf('auroraGigabyteMonth'))} per GB and month`,
  ];
}
