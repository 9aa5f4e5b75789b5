import { Button, Popover, Stack } from '@mantine/core';
import { IconVariablePlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { pathMember } from '../../../../../lib/reactions/ruleset/placeholder.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { jsonText } from '../../../xapi/json-edit.ts';
import { ConditionSelect } from './condition-select.tsx';
import { useConditionNames } from './editing.ts';
import { PathRow } from './path-row.tsx';

interface InsertPathProps {
  /** Told the JSON that stands for the value. */
  readonly onInsert: (json: string) => void;
}

/** Makes the text that stands for a value of a matched statement. */
export function InsertPath({ onInsert }: InsertPathProps) {
  const { reactions } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const names = useConditionNames();
  const [chosen, setChosen] = useState<string>();
  const [path, setPath] = useState<PropertyPath>(['actor']);
  const condition = chosen !== undefined && names.includes(chosen) ? chosen : (names.at(-1) ?? '');
  return (
    <Popover opened={isOpen} onChange={setOpen} width={320} trapFocus returnFocus withinPortal={false}>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconVariablePlus size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {reactions.insertPath}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={reactions.insertPath}>
        <Stack gap="xs">
          <ConditionSelect value={condition} onChange={setChosen} />
          <PathRow label={reactions.path} value={path} notes={[]} mayBeEmpty onChange={setPath} />
          <Button
            size="xs"
            onClick={() => {
              setOpen(false);
              onInsert(jsonText({ [pathMember]: [condition, ...path] }));
            }}
          >
            {reactions.insert}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
