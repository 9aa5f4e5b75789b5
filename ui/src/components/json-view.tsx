import { SegmentedControl, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { indented, jsonNodeOf } from '../xapi/json-node.ts';
import { JsonTree } from './json-tree.tsx';
import { Snippet } from './snippet.tsx';

interface JsonViewProps {
  /** JSON. */
  readonly text: string;
  /** Names what is shown. */
  readonly label: string;
}

/** JSON as a tree, or as text to copy. */
export function JsonView({ text, label }: JsonViewProps) {
  const { xapi } = useTexts();
  const node = useMemo(() => jsonNodeOf(text), [text]);
  const [form, setForm] = useState<string>('tree');
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={xapi.jsonForm(label)}
        size="xs"
        value={form}
        onChange={setForm}
        data={[
          { value: 'tree', label: xapi.jsonTree },
          { value: 'text', label: xapi.jsonText },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {form === 'tree' ? (
        <JsonTree node={node} label={label} />
      ) : (
        <Snippet text={indented(node)} label={label} />
      )}
    </Stack>
  );
}
