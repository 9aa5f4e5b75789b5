import { Button, Group, Text } from '@mantine/core';
import { useTexts } from '../texts/texts.tsx';

interface PagerProps {
  /** Counts from 1; undefined when nobody knows, after a jump into the middle. */
  readonly page: number | undefined;
  /** Undefined where there is no such page. */
  readonly onFirst: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  /** The page is on its way, so nobody knows yet whether others follow it. */
  readonly isLoading?: boolean;
}

/** Turns the pages of a list; nothing where there is only one. A button that leads nowhere says why. */
export function Pager({ page, onFirst, onPrevious, onNext, isLoading = false }: PagerProps) {
  const { lists } = useTexts();
  const buttons = [
    { text: lists.firstPage, onClick: onFirst, reason: lists.isFirst },
    { text: lists.previousPage, onClick: onPrevious, reason: page === 1 ? lists.isFirst : lists.noPrevious },
    { text: lists.nextPage, onClick: onNext, reason: lists.isLast },
  ];
  if (page === 1 && onNext === undefined && !isLoading) return null;
  return (
    <Group gap="xs" component="nav" aria-label={lists.pager}>
      {buttons.map(({ text, onClick, reason }) => (
        <Button
          key={text}
          variant="default"
          size="xs"
          // Stays where it is for whoever has the focus on it.
          aria-disabled={onClick === undefined}
          {...(onClick === undefined ? { 'data-disabled': true, title: reason } : { onClick })}
        >
          {text}
        </Button>
      ))}
      <Text size="sm" role="status">
        {page === undefined ? lists.somePage : lists.page(page)}
      </Text>
    </Group>
  );
}
