import { durationText } from '../../xapi/duration.ts';

/** A number of seconds for people, in the largest unit that fits and the next one: `3 min 20 sec`. */
export function secondsText(seconds: number, language: string): string {
  const whole = Math.max(Math.round(seconds), 0);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) return durationText(`PT${hours}H${minutes}M`, language);
  return durationText(`PT${minutes > 0 ? `${minutes}M` : ''}${whole % 60}S`, language);
}
