import { usePart } from '../api/parts.ts';
import { PartFailure } from '../components/part-failure.tsx';
import { Waiting } from '../components/waiting.tsx';
import type { Screen } from '../screens/screens.ts';

/** A page, as soon as it is loaded. */
export function ScreenPart({ screen: { path, load } }: { readonly screen: Screen }) {
  const { data, error, isFetching, refetch } = usePart(path, load);
  if (data !== undefined) return <data.content />;
  if (error === null || isFetching) return <Waiting />;
  return <PartFailure error={error} onRetry={() => void refetch()} />;
}
