import { describe } from 'vitest';
import { offlineEntrance } from '../support/offline-entrance.ts';
import { statementFlow } from './statement-flow.ts';

describe('through serverless offline', () => {
  statementFlow(offlineEntrance);
});
