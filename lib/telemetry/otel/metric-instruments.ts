import type { Attributes, Histogram, Meter, ObservableResult } from '@opentelemetry/api';
import { BoundedLabels } from '../bounded-labels.ts';
import { readGauge } from '../gauges.ts';
import { type GaugeName, gauges, type Metric, recorded } from '../metrics.ts';
import type { AnsweredRequest, CommittedGroup, DatabaseOperation, Measurements } from '../types.ts';
import { LabelledCounter } from './labelled-counter.ts';

/** How many rules of refusals have a label of their own; the specification has fewer sections. */
const mostRules = 200;
/** How many routes and methods have; there are fewer routes. */
const mostRoutes = 200;

/** Records what is measured into the instruments of a meter. */
export function createInstruments(meter: Meter, mostKeyPairs: number): Measurements {
  const { requestDuration, commitDuration, commitRequests, commitStatements, databaseDuration } = recorded;
  const requestSeconds = histogram(meter, requestDuration);
  const commitSeconds = histogram(meter, commitDuration);
  const requestsOfCommit = histogram(meter, commitRequests);
  const statementsOfCommit = histogram(meter, commitStatements);
  const databaseSeconds = histogram(meter, databaseDuration);
  const requests = counter(meter, recorded.requests);
  const refusals = counter(meter, recorded.refusals);
  const keyPairs = new BoundedLabels(mostKeyPairs);
  const rules = new BoundedLabels(mostRules);
  const routes = new BoundedLabels(mostRoutes);
  let active = 0;
  let statements = 0;
  observe(meter, recorded.activeRequests, (result) => result.observe(active));
  observe(meter, recorded.statements, (result) => result.observe(statements));
  for (const name of Object.keys(gauges) as GaugeName[]) observeGauge(meter, name);
  return {
    requestBegan() {
      active += 1;
    },
    requestEnded({ method, route, status, keyPair = 'none', milliseconds }: AnsweredRequest) {
      active -= 1;
      const of = {
        'http.request.method': method,
        'http.route': routes.bounded(route),
        'http.response.status_code': status,
      };
      requestSeconds.record(milliseconds / 1000, of);
      requests.add({ ...of, 'lrs.key_pair': keyPairs.bounded(keyPair) });
    },
    refused(code: string, rule: string) {
      refusals.add({ 'lrs.code': code, 'lrs.rule': rules.bounded(rule) });
    },
    committed(group: CommittedGroup) {
      statements += group.statements;
      commitSeconds.record(group.milliseconds / 1000);
      requestsOfCommit.record(group.requests);
      statementsOfCommit.record(group.statements);
    },
    databaseAnswered(operation: DatabaseOperation, milliseconds: number, isFailed: boolean) {
      const failure = isFailed ? { 'error.type': 'failed' } : {};
      databaseSeconds.record(milliseconds / 1000, { 'db.operation.name': operation, ...failure });
    },
  };
}

function histogram(meter: Meter, metric: Metric): Histogram {
  const { name, unit, description, buckets = [] } = metric;
  return meter.createHistogram(name, {
    unit,
    description,
    advice: { explicitBucketBoundaries: [...buckets] },
  });
}

function counter(meter: Meter, metric: Metric): LabelledCounter {
  const labelled = new LabelledCounter();
  observe(meter, metric, (result) => labelled.observe(result));
  return labelled;
}

function observe(
  meter: Meter,
  { name, kind, unit, description }: Metric,
  read: (result: ObservableResult<Attributes>) => void | Promise<void>,
): void {
  const options = { unit, description };
  const instrument =
    kind === 'counter'
      ? meter.createObservableCounter(name, options)
      : kind === 'gauge'
        ? meter.createObservableGauge(name, options)
        : meter.createObservableUpDownCounter(name, options);
  instrument.addCallback(read);
}

function observeGauge(meter: Meter, name: GaugeName): void {
  const metric: Metric = gauges[name];
  const [label = ''] = metric.labels;
  observe(meter, metric, async (result) => {
    const value = await readGauge(name);
    if (typeof value === 'number') result.observe(value);
    else for (const [of, number] of Object.entries(value ?? {})) result.observe(number, { [label]: of });
  });
}
