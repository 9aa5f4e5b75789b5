import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { everyAdministration } from '../../support/admin-client.ts';
import { ReactionClient } from '../../support/reaction-client.ts';
import { comparisonFacts } from './reaction-facts/comparisons.ts';
import { dataModelFacts } from './reaction-facts/data-model.ts';
import { errorFacts } from './reaction-facts/errors.ts';
import { generatedFacts } from './reaction-facts/generated.ts';
import { matchingFacts } from './reaction-facts/matching.ts';
import { rulesetFacts } from './reaction-facts/rulesets.ts';
import { templateFacts } from './reaction-facts/templates.ts';
import { triggerFacts } from './reaction-facts/triggers.ts';
import { versionFacts } from './reaction-facts/versions.ts';

/* Each title begins with the place of a fact in tests/conformance/lrsql-reactions. */

describe.each(everyAdministration)('reactions do what those of lrsql do, on $name', (place) => {
  const client = new ReactionClient(place);
  const newer = new ReactionClient(place, '2.0.0');

  beforeAll(async () => {
    await client.open({ LRS_REACTION_BUFFER_SIZE: '1' });
    await newer.open({ LRS_REACTION_VERSION: '2.0.0' });
  });
  afterEach(async () => {
    await client.clear();
    await newer.clear();
  });
  afterAll(async () => {
    await client.close();
    await newer.close();
  });

  dataModelFacts(client);
  rulesetFacts(client);
  triggerFacts(client);
  matchingFacts(client);
  comparisonFacts(client);
  templateFacts(client);
  generatedFacts(client);
  errorFacts(client);
  versionFacts(client, newer);
});
