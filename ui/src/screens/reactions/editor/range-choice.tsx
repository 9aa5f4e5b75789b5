import { NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { mostPreviewed, type PreviewRange } from '../../../api/reactions.ts';
import { TimeInput } from '../../../components/time-input.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';

const counts = [100, 1000, mostPreviewed];
const dayMilliseconds = 86_400_000;

/** Whether the range ends before it begins. */
export function isInverted(range: PreviewRange): boolean {
  if (!('since' in range) || range.until === undefined) return false;
  return Date.parse(range.until) < Date.parse(range.since);
}

interface RangeChoiceProps {
  readonly range: PreviewRange;
  readonly onChange: (range: PreviewRange) => void;
}

/** Which statements the preview looks at. */
export function RangeChoice({ range, onChange }: RangeChoiceProps) {
  const { reactions } = useTexts();
  const { number } = useFormats();
  const choose = (value: string) => {
    if (value !== 'time') onChange({ statements: Number(value) });
    else onChange({ since: new Date(Date.now() - 7 * dayMilliseconds).toISOString() });
  };
  return (
    <Stack gap="xs">
      <NativeSelect
        label={reactions.range}
        value={'statements' in range ? String(range.statements) : 'time'}
        data={[
          ...counts.map((count) => ({ value: String(count), label: reactions.newest(number(count)) })),
          { value: 'time', label: reactions.timeRange },
        ]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {'since' in range && (
        <SimpleGrid type="container" cols={{ base: 1, '420px': 2 }} spacing="xs">
          <TimeInput
            label={reactions.since}
            value={range.since}
            onChange={(since) => onChange({ ...range, since: since || range.since })}
          />
          <TimeInput
            label={reactions.until}
            value={range.until ?? ''}
            error={isInverted(range) ? reactions.untilRefused : undefined}
            onChange={(until) => onChange({ since: range.since, ...(until !== '' && { until }) })}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}
