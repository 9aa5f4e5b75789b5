import { useSearchParams } from 'react-router';
import type { TimelineUnit } from '../../../../../lib/status/types.ts';
import { type Range, ranges, unitsOfRange } from './buckets.ts';

export interface FrameChoice {
  readonly range: Range;
  readonly unit: TimelineUnit;
  /** Without a unit it is the usual one of the range. */
  readonly choose: (choice: { readonly range: string; readonly unit?: string }) => void;
}

/** Range and unit of the timeline, which are in the address. */
export function useFrame(): FrameChoice {
  const [search, setSearch] = useSearchParams();
  const range = ranges.find((each) => each === search.get('range')) ?? 'month';
  const units: readonly TimelineUnit[] = unitsOfRange[range];
  const unit = units.find((each) => each === search.get('unit')) ?? unitsOfRange[range][0];
  return { range, unit, choose: (choice) => setSearch({ ...choice }, { replace: true }) };
}
