import { Button, Group, Select, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { defaultPaths, type PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { useTexts } from '../../texts/texts.tsx';
import { forgetColumnSet, keepColumnSet, useColumnSets } from './column-sets.ts';

interface ColumnSetsProps {
  readonly columns: readonly PropertyPath[];
  readonly onChoose: (columns: readonly PropertyPath[]) => void;
}

/** Columns that were kept under a name, and a way to keep the present ones. */
export function ColumnSets({ columns, onChoose }: ColumnSetsProps) {
  const { export: texts, common } = useTexts();
  const sets = useColumnSets();
  const [name, setName] = useState('');
  const chosen = sets.find((each) => JSON.stringify(each.columns) === JSON.stringify(columns));
  return (
    <>
      <Title order={2} size="h4">
        {texts.columns}
      </Title>
      <Group align="flex-end" gap="sm">
        <Select
          label={texts.columnSet}
          placeholder={sets.length === 0 ? texts.noSets : texts.chooseSet}
          disabled={sets.length === 0}
          data={sets.map((each) => each.name)}
          value={chosen?.name ?? null}
          onChange={(wanted) => {
            const set = sets.find((each) => each.name === wanted);
            if (set !== undefined) onChoose(set.columns);
          }}
        />
        {chosen !== undefined && (
          <Button variant="default" onClick={() => forgetColumnSet(chosen.name)}>
            {texts.deleteSet(chosen.name)}
          </Button>
        )}
        <Button variant="default" onClick={() => onChoose(defaultPaths)}>
          {texts.defaults}
        </Button>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keepColumnSet({ name: name.trim(), columns });
            setName('');
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              label={texts.setName}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={100}
              autoComplete="off"
            />
            <Button type="submit" variant="default" disabled={name.trim() === '' || columns.length === 0}>
              {common.save}
            </Button>
          </Group>
        </form>
      </Group>
    </>
  );
}
