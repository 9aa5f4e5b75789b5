import type { Result, Score } from '../../types.ts';
import { type Check, objectOf } from './check.ts';
import type { Inspection } from './inspection.ts';
import { checkBoolean, checkDuration, checkExtensions, checkNumber, checkText } from './value.ts';

const checkScaled: Check<number> = (value, inspection): value is number =>
  (typeof value === 'number' && value >= -1 && value <= 1) ||
  inspection.mismatch('score', 'must be a number from -1 to 1', value);

function checkRange({ raw, min, max }: Readonly<Record<string, unknown>>, inspection: Inspection): void {
  if (typeof min === 'number' && typeof max === 'number' && min >= max) {
    inspection.refuse('score', `must be less than max, but ${min} is not less than ${max}`, 'min');
  }
  if (typeof raw !== 'number') return;
  if (typeof min === 'number' && raw < min) {
    inspection.refuse('score', `must not be less than min, but ${raw} is less than ${min}`, 'raw');
  }
  if (typeof max === 'number' && raw > max) {
    inspection.refuse('score', `must not be greater than max, but ${raw} is greater than ${max}`, 'raw');
  }
}

const checkScore = objectOf<Score>({
  noun: 'a score',
  subject: 'score',
  properties: { scaled: checkScaled, raw: checkNumber, min: checkNumber, max: checkNumber },
  across: checkRange,
});

export const checkResult = objectOf<Result>({
  noun: 'a result',
  subject: 'result',
  properties: {
    score: checkScore,
    success: checkBoolean,
    completion: checkBoolean,
    response: checkText,
    duration: checkDuration,
    extensions: checkExtensions,
  },
});
