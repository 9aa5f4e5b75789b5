import { type ErrorDetail, InvalidError } from '../../../errors.ts';
import type { SharedTrees } from '../../../json/shared-trees.ts';
import type { XapiVersion } from '../../types.ts';
import { type Subject, sectionOf } from './section.ts';

/** So many problems are reported at once; the inspection ends with the last of them. */
const maxProblems = 20;

/** Longer texts of the client are cut in messages and paths. */
const maxQuoted = 80;

export type Step = string | number;

function clipped(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;
}

/** The text in quotation marks, cut to a length that fits a message. */
export function quoted(text: string): string {
  return JSON.stringify(clipped(text));
}

function withStep(path: string, step: Step): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return /^[A-Za-z_$][\w$-]*$/.test(step) ? `${path}.${clipped(step)}` : `${path}[${quoted(step)}]`;
}

function described(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return value === '' ? 'the empty string' : `the string ${quoted(value)}`;
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${value}`;
}

/** One walk over a value: knows where the walk is and gathers the rules that are broken on the way. */
export class Inspection {
  readonly version: XapiVersion;
  /** Remember which shared parts have passed a check. */
  readonly trees: SharedTrees | undefined;
  private readonly root: string;
  private readonly steps: Step[] = [];
  private depth = 0;
  private firstProblem = '';
  private readonly details: ErrorDetail[] = [];

  /** `root` is how the client calls the value, e.g. `statements[3]`. */
  constructor(root: string, version: XapiVersion, trees?: SharedTrees) {
    this.root = root;
    this.version = version;
    this.trees = trees;
  }

  /** How many problems were found so far. */
  get problems(): number {
    return this.details.length;
  }

  enter(step: Step): void {
    this.steps[this.depth++] = step;
  }

  leave(): void {
    this.depth--;
  }

  /**
   * Notes that the value at hand, or the one that lies the given steps below it, breaks a rule.
   * @throws InvalidError when that was the last problem worth reporting.
   */
  refuse(subject: Subject, message: string, ...below: Step[]): false {
    const path = [...this.steps.slice(0, this.depth), ...below].reduce(withStep, this.root);
    const section = sectionOf(subject, this.version);
    this.firstProblem ||= `${path} ${message} (${section}).`;
    this.details.push({ path, message, section });
    if (this.details.length === maxProblems) throw this.error();
    return false;
  }

  /** Notes that the value is not what the expectation says, e.g. `must be a boolean`. */
  mismatch(subject: Subject, expectation: string, value: unknown): false {
    return this.refuse(subject, `${expectation}, not ${described(value)}`);
  }

  /** What the client is told: the first problem as the message, all of them as details. */
  error(): InvalidError {
    return new InvalidError(this.firstProblem, { details: this.details });
  }
}
