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

  describe('because it has a member __proto__', () => {
    const nested = Joi.object({
      settings: Joi.object({ size: Joi.number() }),
      list: Joi.array().items(Joi.object({ size: Joi.number() })),
      free: Joi.object(),
    });

    it.each([
      ['{"__proto__":{"x":1}}', '__proto__'],
      ['{"settings":{"__proto__":{"x":1}}}', 'settings.__proto__'],
      ['{"settings":{"__proto__":5,"size":"5"}}', 'settings.__proto__'],
      ['{"list":[{},{"__proto__":null}]}', 'list[1].__proto__'],
    ])('is refused as with any unknown member: %s', (text, path) => {
      const error = thrownBy(() => checked(nested, JSON.parse(text)));
      expect(error).toBeInstanceOf(InvalidError);
      expect(error).toHaveProperty('details', [{ path, message: 'is not allowed' }]);
    });

    it('is none where any member is allowed', () => {
      const text = '{"settings":{"size":5},"free":{"__proto__":{"x":1}}}';
      expect(JSON.stringify(checked(nested, JSON.parse(text)))).toBe(text);
    });
  });
});
