const units = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;

const pattern =
  /^P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;

/** A duration (ISO 8601) for people: `PT1H30M` is `1 hr 30 min`. What can't be read stays as it is. */
export function durationText(duration: string, language: string): string {
  const amounts = pattern.exec(duration)?.slice(1) ?? [];
  const parts = units.flatMap((unit, place) => {
    const amount = amounts[place];
    return amount === undefined ? [] : [inUnit(Number(amount), unit, language)];
  });
  return parts.join(' ') || duration;
}

function inUnit(amount: number, unit: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(amount);
}
