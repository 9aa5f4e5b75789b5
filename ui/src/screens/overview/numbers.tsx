import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { rateQuery, type StoreNumbers } from './status.ts';
import type { Refreshing } from './use-refreshing.ts';

interface NumbersProps {
  readonly numbers: StoreNumbers;
  readonly refreshing: Refreshing;
}

/** How much there is, and how much is coming in. */
export function Numbers({ numbers, refreshing }: NumbersProps) {
  const { overview: texts, pages } = useTexts();
  const { number, date, time } = useFormats();
  const { data: lastMinute } = useQuery({ ...rateQuery, ...refreshing });
  const last = numbers['last-statement-stored'];
  const voided = numbers['voided-count'];
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
      <Tile name={texts.statements} more={voided > 0 && texts.voidedToo(number(voided))}>
        <To address="/statements">{number(numbers['statement-count'] - voided)}</To>
      </Tile>
      <Tile name={texts.actors} more={texts.ofStatements}>
        <To address="/agents?role=actor">{number(numbers['actor-count'])}</To>
      </Tile>
      <Tile name={pages.activities} more={texts.asObjects}>
        <To address="/activities?role=object">{number(numbers['activity-count'])}</To>
      </Tile>
      <Tile name={texts.lastStored} more={last !== null && time(last)}>
        {last === null ? texts.never : date(last)}
      </Tile>
      <Tile name={texts.rate} more={lastMinute !== undefined && texts.lastMinute(number(lastMinute))}>
        {lastMinute === undefined ? '…' : texts.perSecond(number(Math.round(lastMinute / 6) / 10))}
      </Tile>
    </SimpleGrid>
  );
}

interface TileProps {
  readonly name: string;
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

function Tile({ name, more, children }: TileProps) {
  return (
    <Paper withBorder px="md" py="xs" role="group" aria-label={name}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="div" size="lg" fw={600}>
        {children}
      </Text>
      <Text size="sm" c="dimmed">
        {more}
      </Text>
    </Paper>
  );
}

function To({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  return (
    <Anchor component={Link} to={address} inherit>
      {children}
    </Anchor>
  );
}
