import { Button, Group, Text } from '@mantine/core';
import { useTexts } from '../../texts/texts.tsx';

interface PagerProps {
  /** Counts from 1; undefined when nobody knows, after a jump into the middle. */
  readonly page: number | undefined;
  readonly onFirst: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** Turns pages by buttons. */
export function Pager({ page, onFirst, onPrevious, onNext }: PagerProps) {
  const { statements } = useTexts();
  const buttons = [
    { text: statements.firstPage, onClick: onFirst },
    { text: statements.previousPage, onClick: onPrevious },
    { text: statements.nextPage, onClick: onNext },
  ];
  return (
    <Group gap="xs" component="nav" aria-label={statements.turnPages}>
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
        {page === undefined ? statements.somePage : statements.page(page)}
      </Text>
    </Group>
  );
}
