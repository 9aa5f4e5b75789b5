import { Stack, Text } from '@mantine/core';
import { StatementAnchor } from './statement-anchor.tsx';

interface MatchedStatementsProps {
  /** Name of a condition → id of the statement that fulfilled it; null when that was erased. */
  readonly matched: Readonly<Record<string, string | null>>;
  readonly isApart?: boolean;
}

/** Which statement fulfilled which condition. */
export function MatchedStatements({ matched, isApart = false }: MatchedStatementsProps) {
  return (
    <Stack gap={0}>
      {Object.entries(matched).map(([condition, id]) => (
        <Text key={condition} size="sm" component="div" className="wrap-anywhere">
          {condition}: <StatementAnchor id={id} isApart={isApart} />
        </Text>
      ))}
    </Stack>
  );
}
