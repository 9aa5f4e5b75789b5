import { identifierOf } from '../../xapi/agent.ts';
import type { Agent } from '../../xapi/types.ts';

/** The identifier of an Agent that nothing has checked; undefined where it has none. */
export function identifierOfAny(agent: unknown): string | undefined {
  const { account, ...others } = membersOf(agent);
  const { name, homePage } = membersOf(account);
  const texts = Object.entries(others).filter(([, value]) => typeof value === 'string');
  const isAccount = typeof name === 'string' && typeof homePage === 'string';
  return identifierOf({
    ...Object.fromEntries(texts),
    ...(isAccount && { account: { name, homePage } }),
  } as Agent);
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
