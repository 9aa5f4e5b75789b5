import type { Json, JsonObject } from '../../json/types.ts';
import { likelyMeant } from '../../nearest.ts';
import type { XapiVersion } from '../../xapi/types.ts';
import type { ConditionNode } from '../types.ts';
import { isObject } from './json.ts';
import { warnOfMissing } from './missing-condition.ts';
import { whyNowhere } from './path.ts';
import { placeBelow, templatePlace } from './place.ts';
import { isPlaceholder, pathMember } from './placeholder.ts';
import type { Report } from './report.ts';
import { setByLrs } from './set-by-lrs.ts';
import { kindAt } from './shape.ts';
import { brokenRules } from './template-constants.ts';
import { warnOfFixedId } from './template-id.ts';

interface TemplateContext {
  readonly conditions: ReadonlyMap<string, ConditionNode>;
  readonly version: XapiVersion;
  readonly report: Report;
}

/**
 * Warns of what will make no statement. It is not refused, because lrsql stores any template; whether it makes one is known only when
 * values have been put in.
 */
export function checkTemplate(template: Json, context: TemplateContext): void {
  const { report } = context;
  if (!isObject(template)) {
    report.warn('$.template', 'template-statement', 'is no object, so it never makes a statement');
    return;
  }
  if (isPlaceholder(template)) {
    checkPlaceholder(template, templatePlace, context);
    return;
  }
  if (template[setByLrs] !== undefined) {
    const message = 'is replaced: the LRS sets it when it stores the statement';
    report.warn(placeBelow(templatePlace, setByLrs), 'set-by-lrs', message);
  }
  warnOfFixedId(template.id, report);
  walk({ ...template, [setByLrs]: null }, templatePlace, context);
  for (const { path, message } of brokenRules(template, context.version))
    report.warn(path, 'template-statement', message);
}

/** Nesting is bounded by what `parseJson` accepts. */
function walk(value: Json, place: string, context: TemplateContext): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, placeBelow(place, index), context);
  } else if (isObject(value)) {
    if (isPlaceholder(value)) {
      checkPlaceholder(value, place, context);
      return;
    }
    if (value[pathMember] !== undefined)
      context.report.warn(
        placeBelow(place, pathMember),
        'template-path',
        'counts only as the first member of its object',
      );
    for (const [name, member] of Object.entries(value)) {
      if (name !== pathMember && likelyMeant(name, [pathMember]) !== undefined)
        context.report.warn(
          placeBelow(place, name),
          'unknown-member',
          `stands for nothing; did you mean "${pathMember}"?`,
        );
      walk(member, placeBelow(place, name), context);
    }
  }
}

function checkPlaceholder(value: JsonObject, place: string, context: TemplateContext): void {
  const { conditions, version, report } = context;
  const at = placeBelow(place, pathMember);
  const path = value[pathMember];
  if (Object.keys(value).length > 1)
    report.warn(place, 'unused-member', `other members beside ${pathMember} have no effect`);
  // Where a step is taken from a statement, what the path leads to is known only then.
  if (Array.isArray(path) && path.some((step) => isObject(step) && isPlaceholder(step))) {
    walk(path, at, context);
    return;
  }
  if (!Array.isArray(path) || typeof path[0] !== 'string') {
    report.warn(
      at,
      'template-path',
      'must be an array of the name of a condition and a path, else no statement is made',
    );
    return;
  }
  const [condition, ...steps] = path;
  const isPath = steps.every((step) => typeof step === 'string' || typeof step === 'number');
  if (!conditions.has(condition)) {
    warnOfMissing(condition, placeBelow(at, 0), conditions.keys(), report);
  } else if (!isPath || kindAt(steps as (string | number)[], version) === undefined) {
    report.warn(
      at,
      'template-path',
      `leads to nothing that a statement may have, so no statement is made: ${whyNowhere(steps, version, [condition])}`,
    );
  }
}
