import { Group, Kbd, Text } from '@mantine/core';
import { useTexts } from '../../texts/texts.tsx';

/** Says which keys `RowKeys` knows. */
export function KeyHints({ hasPages }: { readonly hasPages: boolean }) {
  const { statements } = useTexts();
  const { keys } = statements;
  const hints = [
    { names: ['↑', '↓'], text: keys.rows },
    ...(hasPages ? [{ names: ['←', '→'], text: keys.pages }] : []),
    { names: [keys.enter], text: keys.open },
  ];
  return (
    <Group gap="sm" visibleFrom="sm">
      <Text size="xs" c="dimmed">
        {keys.where}
      </Text>
      {hints.map(({ names, text }) => (
        <Text key={text} size="xs" c="dimmed">
          {names.map((name) => (
            <Kbd key={name} size="xs" me={4}>
              {name}
            </Kbd>
          ))}
          {text}
        </Text>
      ))}
    </Group>
  );
}
