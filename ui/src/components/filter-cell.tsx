import { ActionIcon } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import classes from './filter-cell.module.css';

interface FilterCellProps {
  /** What the value is, such as the head of its column. */
  readonly name: string;
  /** The value as people read it. */
  readonly value: string;
  /** Shows only what has this value; undefined where no filter can name it. */
  readonly onFilter: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A value of a table with the button that filters by it. */
export function FilterCell({ name, value, onFilter, children }: FilterCellProps) {
  const { lists } = useTexts();
  if (onFilter === undefined) return children;
  const label = lists.filterBy(name, value);
  return (
    <div className={classes.cell}>
      <div className={classes.text}>{children}</div>
      <ActionIcon
        className={classes.action}
        variant="subtle"
        size={24}
        aria-label={label}
        title={label}
        onClick={onFilter}
      >
        <IconFilter size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
