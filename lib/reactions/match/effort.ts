import { ReactionFailure } from '../failure.ts';

/**
 * Steps of one evaluation, of all conditions for one statement: some 40 ms, and many times what the longest comparison by
 * `like` takes. A step takes 2 ns, about as long as to compare two characters.
 */
const mostSteps = 20_000_000;

/**
 * Of the evaluation that is under way: evaluations neither wait nor lie in each other. V8 changes a number in an object in
 * place, and allocates a new one for a variable.
 */
const effort = { left: Number.POSITIVE_INFINITY };

/**
 * Does synchronous work whose comparisons may take a limited number of steps together, so that the event loop is free again
 * soon. Steps are counted in place of time: an evaluation has the same result on each machine.
 */
export function withinEffort<T>(work: () => T): T {
  effort.left = mostSteps;
  try {
    return work();
  } finally {
    effort.left = Number.POSITIVE_INFINITY;
  }
}

/** @throws ReactionFailure when the work takes more steps than it may. */
export function spendSteps(steps: number): void {
  effort.left -= steps;
  if (effort.left >= 0) return;
  throw new ReactionFailure(
    'ReactionLimitError',
    'To evaluate the conditions for one statement takes too many steps. Use fewer comparisons by `like` and `contains`, or shorter patterns, where values are long.',
    'evaluation',
  );
}
