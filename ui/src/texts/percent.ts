/** The nearest to nothing and to all that one fraction digit can say. */
const least = 0.001;
const most = 0.999;

/**
 * Writes parts of 1 as percentages with one fraction digit. What is neither nothing nor all does not look like it: `<0.1%`,
 * `>99.9%`.
 */
export function percentIn(language: string): (share: number) => string {
  const { format } = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (share) => {
    if (share > 0 && share < least) return `<${format(least)}`;
    if (share > most && share < 1) return `>${format(most)}`;
    return format(share);
  };
}
