import { Box, Table } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './scroll-table.module.css';
import { useOverflow } from './use-overflow.ts';

interface ScrollTableProps {
  /** Names the table for those who don't see what stands above it. */
  readonly label: string;
  /** Pixels; a page that is narrower scrolls the table in its box, which is reachable by keyboard. */
  readonly minWidth?: number;
  /** Pixels; a table that is longer scrolls in its box, too. */
  readonly maxHeight?: number;
  /** Whether the rows become cards where the box is narrow; their cells are those of `DataTable`. */
  readonly hasCards?: boolean;
  readonly children: ReactNode;
}

/** A table of the width of the page. */
export function ScrollTable({ label, minWidth = 600, maxHeight, hasCards, children }: ScrollTableProps) {
  const { ref, isOverflowing } = useOverflow<HTMLDivElement>();
  const width: CSSProperties & Record<string, string> = { '--table-min-width': `${minWidth}px` };
  return (
    <Box
      ref={ref}
      className={classes.box}
      style={width}
      {...(maxHeight !== undefined && { mah: maxHeight })}
      // What scrolls has to be reachable by keyboard (WCAG 2.1.1); what does not is no stop on the way.
      {...(isOverflowing && { tabIndex: 0, role: 'region', 'aria-label': label })}
    >
      <Table
        role="table"
        aria-label={label}
        verticalSpacing={6}
        highlightOnHover
        className={`${classes.table} ${hasCards ? classes.cards : ''}`}
      >
        {children}
      </Table>
    </Box>
  );
}
