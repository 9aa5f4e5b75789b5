const format = new Intl.NumberFormat('en');

/** A number for people, with the noun of what it counts: `1 statement`, `1,500 statements`. */
export const counted = (count: number, noun: string): string =>
  `${format.format(count)} ${noun}${count === 1 ? '' : 's'}`;
