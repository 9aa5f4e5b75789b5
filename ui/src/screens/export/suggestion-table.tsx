import { ActionIcon, Code, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { PropertyPath } from '../../../../lib/csv/property-paths.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { keyOf, pathText } from '../../xapi/property-path.ts';
import type { Suggestion } from './suggestions.ts';

interface SuggestionTableProps {
  readonly suggestions: readonly Suggestion[];
  readonly onAdd: (path: PropertyPath) => void;
}

/** Paths of the data, how many of the statements have them, and a value. */
export function SuggestionTable({ suggestions, onAdd }: SuggestionTableProps) {
  const { export: texts } = useTexts();
  const { percent } = useFormats();
  return (
    <Table aria-label={texts.suggestions} verticalSpacing={2} horizontalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{texts.path}</Table.Th>
          <Table.Th scope="col">{texts.share}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {suggestions.map(({ path, share, example }) => (
          <Table.Tr key={keyOf(path)}>
            <Table.Th scope="row" fw={400}>
              <Code className="wrap-anywhere">{pathText(path)}</Code>
              <Text size="xs" c="dimmed" className="wrap-anywhere">
                {example}
              </Text>
            </Table.Th>
            <Table.Td>{percent(share)}</Table.Td>
            <Table.Td>
              <ActionIcon
                variant="default"
                size={26}
                aria-label={texts.addColumn(pathText(path))}
                onClick={() => onAdd(path)}
              >
                <IconPlus size={16} aria-hidden />
              </ActionIcon>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
