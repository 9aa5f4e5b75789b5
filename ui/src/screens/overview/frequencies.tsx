import { useTexts } from '../../texts/texts.tsx';
import { useNames } from '../../texts/use-names.ts';
import { FrequencyTable } from './frequency-table.tsx';
import type { StoreNumbers } from './status.ts';

const longest = 10;

/** Which Verbs, Activities and platforms most statements have. */
export function Frequencies({ numbers }: { readonly numbers: StoreNumbers }) {
  const { overview: texts } = useTexts();
  const names = useNames();
  const total = numbers['statement-count'];
  const verbs = numbers['verb-frequency'].map(({ id, display, count }) => ({
    id,
    name: names.verb({ id, ...(display !== undefined && { display }) }),
    count,
    address: `/statements?${new URLSearchParams({ verb: id })}`,
  }));
  const activities = numbers['activity-frequency'].map(({ id, name, count }) => ({
    id,
    name: names.activity({ id, ...(name !== undefined && { definition: { name } }) }),
    count,
    address: `/statements?${new URLSearchParams({ activity: id })}`,
  }));
  const platforms = Object.entries(numbers['platform-frequency'])
    .slice(0, longest)
    .map(([id, count]) => ({ id, name: id === 'none' ? texts.noPlatform : id, count }));
  return (
    <>
      <FrequencyTable title={texts.topVerbs} column={texts.verb} rows={verbs} total={total} />
      <FrequencyTable title={texts.topActivities} column={texts.activity} rows={activities} total={total} />
      <FrequencyTable title={texts.topPlatforms} column={texts.platform} rows={platforms} total={total} />
    </>
  );
}
