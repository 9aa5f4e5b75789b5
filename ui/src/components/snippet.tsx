import { Box, Code, Text } from '@mantine/core';
import { useTexts } from '../texts/texts.tsx';
import { CopyButton } from './copy-button.tsx';

interface SnippetProps {
  /** What is copied. */
  readonly text: string;
  /** What is seen, where a secret is hidden. */
  readonly shown?: string;
  readonly label: string;
}

/** A text to copy, such as a command; it says so where what is copied differs from what is seen. It scrolls by keyboard, too. */
export function Snippet({ text, shown = text, label }: SnippetProps) {
  const { common } = useTexts();
  return (
    <Box pos="relative">
      {/* What scrolls has to be reachable by keyboard (WCAG 2.1.1). */}
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        pe={48}
        className="wrap-anywhere"
        style={{ whiteSpace: 'pre-wrap' }}
      >
        {shown}
      </Code>
      <Box pos="absolute" top={4} right={4}>
        <CopyButton value={text} label={common.copyThis(label)} />
      </Box>
      {shown !== text && (
        <Text size="xs" c="dimmed" mt={4}>
          {common.copiesSecret}
        </Text>
      )}
    </Box>
  );
}
