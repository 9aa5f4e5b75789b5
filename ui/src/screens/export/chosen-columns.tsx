import { ActionIcon, Button, Code, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { useTexts } from '../../texts/texts.tsx';
import { keyOf, pathText } from '../../xapi/property-path.ts';
import { ColumnBox } from './column-box.tsx';

interface ChosenColumnsProps {
  readonly columns: readonly PropertyPath[];
  readonly onChange: (columns: readonly PropertyPath[]) => void;
}

/** The columns of the export in their order, which can be changed. */
export function ChosenColumns({ columns, onChange }: ChosenColumnsProps) {
  const { export: texts } = useTexts();
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const path = columns[from];
    if (path === undefined) return;
    flushSync(() => onChange(columns.toSpliced(from, 1).toSpliced(to, 0, path)));
    // A row that moves loses the focus.
    button.focus();
    setSaid(texts.moved(pathText(path), to + 1));
  };
  const remove = (at: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const row = event.currentTarget.closest('li');
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    const path = columns[at];
    flushSync(() => onChange(columns.toSpliced(at, 1)));
    next?.querySelector<HTMLButtonElement>('button:last-of-type')?.focus();
    if (path !== undefined) setSaid(texts.removed(pathText(path)));
  };
  return (
    <ColumnBox
      title={texts.chosen(columns.length)}
      tools={
        <Button
          size="compact-xs"
          variant="default"
          disabled={columns.length === 0}
          onClick={() => onChange([])}
        >
          {texts.removeAll}
        </Button>
      }
    >
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {columns.length === 0 && <Text size="sm">{texts.noColumns}</Text>}
      <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {columns.map((path, at) => (
          <Group key={keyOf(path)} component="li" gap={4} wrap="nowrap" py={2}>
            <Code flex={1} className="wrap-anywhere">
              {pathText(path)}
            </Code>
            <Tool label={texts.moveUp(pathText(path))} isOff={at === 0} onClick={move(at, at - 1)}>
              <IconArrowUp size={16} aria-hidden />
            </Tool>
            <Tool
              label={texts.moveDown(pathText(path))}
              isOff={at === columns.length - 1}
              onClick={move(at, at + 1)}
            >
              <IconArrowDown size={16} aria-hidden />
            </Tool>
            <Tool label={texts.remove(pathText(path))} onClick={remove(at)}>
              <IconX size={16} aria-hidden />
            </Tool>
          </Group>
        ))}
      </ol>
    </ColumnBox>
  );
}

interface ToolProps {
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  readonly children: ReactNode;
}

/** A button that is off stays where the keyboard is. */
function Tool({ label, isOff = false, onClick, children }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={26}
      aria-label={label}
      aria-disabled={isOff}
      {...(isOff && { 'data-disabled': true })}
      onClick={(event) => !isOff && onClick(event)}
    >
      {children}
    </ActionIcon>
  );
}
