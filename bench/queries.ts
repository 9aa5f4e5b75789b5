import type { Generated } from './generate.ts';
import type { Call } from './load.ts';

const page = (parameters: Record<string, string>): Call => ({
  method: 'GET',
  path: `/statements?${new URLSearchParams({ limit: '50', ...parameters })}`,
});

/** What is asked of the store: each filter alone, the usual combinations, single statements, both orders. */
export const queries: readonly { readonly name: string; readonly call: (facts: Generated) => Call }[] = [
  { name: 'page of 50, no filter', call: () => page({}) },
  { name: 'ascending', call: () => page({ ascending: 'true' }) },
  {
    name: 'by statementId',
    call: ({ id }) => ({ method: 'GET', path: `/statements?statementId=${id}` }),
  },
  { name: 'by agent', call: ({ actor }) => page({ agent: JSON.stringify(actor) }) },
  {
    name: 'by agent, related',
    call: ({ actor }) => page({ agent: JSON.stringify(actor), related_agents: 'true' }),
  },
  { name: 'by verb', call: ({ verb }) => page({ verb }) },
  { name: 'by verb, since', call: ({ verb }) => page({ verb, since: '2026-01-01T00:00:00Z' }) },
  { name: 'by activity', call: ({ activity }) => page({ activity }) },
  {
    name: 'by activity, related',
    call: ({ course }) => page({ activity: course, related_activities: 'true' }),
  },
  { name: 'by registration', call: ({ registration }) => page({ registration }) },
  { name: 'by agent and verb', call: ({ actor, verb }) => page({ agent: JSON.stringify(actor), verb }) },
  {
    name: 'by frequent agent and verb',
    call: ({ frequentActor, verb }) => page({ agent: JSON.stringify(frequentActor), verb }),
  },
  {
    name: 'by instructor, related, and verb',
    call: ({ instructor, verb }) => page({ agent: JSON.stringify(instructor), related_agents: 'true', verb }),
  },
  {
    name: 'by agent and activity',
    call: ({ actor, activity }) => page({ agent: JSON.stringify(actor), activity }),
  },
  {
    name: 'by agent, verb, activity, until',
    call: ({ actor, verb, activity }) =>
      page({ agent: JSON.stringify(actor), verb, activity, until: '2100-01-01T00:00:00Z' }),
  },
];
