import { counted } from './counted.ts';

export interface ProgressState {
  readonly done: number;
  /** undefined: nobody knows. */
  readonly total: number | undefined;
  /** Milliseconds since the beginning. */
  readonly elapsed: number;
  /** How many were done at the beginning, by an earlier call. */
  readonly before: number;
}

const barWidth = 24;
const format = new Intl.NumberFormat('en');

/** One line for people: a bar, how many are done, the rate, and the time that is left. */
export function progressLine({ done, total, elapsed, before }: ProgressState): string {
  const rate = elapsed > 0 ? ((done - before) * 1000) / elapsed : 0;
  // Nothing was done since the first time that it is shown, as in a short import.
  const speed = rate > 0 ? `, ${format.format(Math.ceil(rate))}/s` : '';
  if (total === undefined || total === 0) return `${counted(done, 'statement')}${speed}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * barWidth);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
  const left = rate > 0 ? `, ${durationText((total - done) / rate)} left` : '';
  return `${bar} ${Math.floor(share * 100)} % of ${counted(total, 'statement')}${speed}${left}`;
}

function durationText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
