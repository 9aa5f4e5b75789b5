import { Group, Select } from '@mantine/core';
import { useTexts } from '../../../texts/texts.tsx';
import { ranges, unitsOfRange } from './buckets.ts';
import type { FrameChoice } from './use-frame.ts';

/** How far back the timeline looks, and how long a bar is. */
export function FrameSelects({ range, unit, choose }: FrameChoice) {
  const { overview: texts } = useTexts();
  return (
    <Group gap="xs">
      <Select
        label={texts.range}
        size="xs"
        w={150}
        allowDeselect={false}
        value={range}
        data={ranges.map((value) => ({ value, label: texts.ranges[value] }))}
        onChange={(value) => value !== null && choose({ range: value })}
      />
      <Select
        label={texts.unit}
        size="xs"
        w={110}
        allowDeselect={false}
        value={unit}
        data={unitsOfRange[range].map((value) => ({ value, label: texts.units[value] }))}
        onChange={(value) => value !== null && choose({ range, unit: value })}
      />
    </Group>
  );
}
