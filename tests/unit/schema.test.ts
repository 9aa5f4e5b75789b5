import Joi from 'joi';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../lib/errors.ts';
import { checked } from '../../lib/schema.ts';
import { thrownBy } from '../support/thrown.ts';

const schema = Joi.object({ names: Joi.array().items(Joi.string().valid('a')), count: Joi.number() });

describe('a value that does not fit its schema', () => {
  it('is refused with every mistake', () => {
    const error = thrownBy(() => checked(schema, { names: ['b', 'c'], count: 'many' }));
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toHaveProperty('details.length', 3);
  });

  it('is refused with the first mistake only when it has a list of more than 100 entries', () => {
    const error = thrownBy(() => checked(schema, { names: Array.from({ length: 101 }, () => 'b') }));
    expect(error).toHaveProperty('details.length', 1);
  });
});
