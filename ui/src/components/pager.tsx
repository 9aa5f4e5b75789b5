import { Button, Group, Text } from '@mantine/core';
import { useTexts } from '../texts/texts.tsx';

interface PagerProps {
  /** Counts from 1; undefined when nobody knows, after a jump into the middle. */
  readonly page: number | undefined;
  /** Undefined where there is no such page. */
  readonly onFirst: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** Turns the pages of a list. */
export function Pager({ page, onFirst, onPrevious, onNext }: PagerProps) {
  const { lists } = useTexts();
  const buttons = [
    { text: lists.firstPage, onClick: onFirst },
    { text: lists.previousPage, onClick: onPrevious },
    { text: lists.nextPage, onClick: onNext },
  ];
  return (
    <Group gap="xs" component="nav" aria-label={lists.pager}>
      {buttons.map(({ text, onClick }) => (
        <Button
          key={text}
          variant="default"
          size="xs"
          // Stays where it is for whoever has the focus on it.
          aria-disabled={onClick === undefined}
          {...(onClick === undefined ? { 'data-disabled': true } : { onClick })}
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
