const steps = [
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/** A time span in words, to the unit that matters and the next one, such as "3 minutes, 20 seconds". */
export function durationIn(language: string, seconds: number): string {
  let rest = Math.max(Math.round(seconds), 0);
  const first = steps.findIndex((step) => rest >= step.seconds);
  const parts = steps
    .slice(first === -1 ? -1 : first)
    .slice(0, 2)
    .map(({ unit, seconds: length }) => {
      const amount = Math.floor(rest / length);
      rest %= length;
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(amount);
    });
  return parts.join(' ');
}
