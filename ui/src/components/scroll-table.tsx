import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScrollTableProps {
  /** Names the table for those who don't see what stands above it. */
  readonly label: string;
  /** Pixels; a page that is narrower scrolls the table in its box, which is reachable by keyboard. */
  readonly minWidth?: number;
  /** Pixels; a table that is longer scrolls in its box, too. */
  readonly maxHeight?: number;
  readonly children: ReactNode;
}

/** A table of the width of the page. */
export function ScrollTable({ label, minWidth = 600, maxHeight, children }: ScrollTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      {...(maxHeight !== undefined && { maxHeight })}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table aria-label={label} verticalSpacing={6} highlightOnHover>
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
