import type { Database } from '../db/types.ts';
import { identifierOf, personOf } from '../xapi/agent.ts';
import { selectNames } from './store.ts';
import type { AgentService } from './types.ts';

export function createAgentService(db: Database): AgentService {
  return {
    async person(agent) {
      const identifier = identifierOf(agent);
      const names = identifier === undefined ? [] : await selectNames(db, identifier);
      return personOf(agent, names);
    },
  };
}
