import { Box, Code } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

interface SnippetProps {
  /** What is copied. */
  readonly text: string;
  /** What is seen, where a secret is hidden. */
  readonly shown?: string;
  readonly label: string;
}

/** A text to copy, such as a command. It scrolls by keyboard, too. */
export function Snippet({ text, shown = text, label }: SnippetProps) {
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
        <CopyButton value={text} label={label} />
      </Box>
    </Box>
  );
}
