import type { Call, Work } from './load.ts';

const learners = 1000;
const state = Buffer.from(
  JSON.stringify({
    bookmark: 'slide-12',
    answers: Array.from({ length: 40 }, (_, at) => `answer ${at}`),
  }),
);

/** A learner's state in a course: about 600 bytes of JSON. */
const addressOf = (learner: number): string =>
  `/activities/state?${new URLSearchParams({
    activityId: 'http://example.org/courses/1',
    agent: JSON.stringify({ account: { homePage: 'http://example.org', name: `learner-${learner}` } }),
    stateId: 'bookmark',
  })}`;

/** State PUT onto new and old documents, then GET, of many learners in turn. */
export function documentWork(seconds: number): Work[] {
  let turn = 0;
  const calls = (call: (path: string) => Call) => () => {
    turn += 1;
    return call(addressOf((turn * 7919) % learners));
  };
  const work = { connections: 8, seconds };
  return [
    { ...work, name: 'PUT state', next: calls((path) => ({ method: 'PUT', path, body: state })) },
    { ...work, name: 'GET state', next: calls((path) => ({ method: 'GET', path })) },
  ];
}
