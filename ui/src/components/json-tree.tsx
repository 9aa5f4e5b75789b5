import { Box, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import type { JsonMember, JsonNode } from '../xapi/json-node.ts';
import classes from './json-tree.module.css';

interface JsonTreeProps {
  readonly node: JsonNode;
  /** Names the tree for those who don't see it. */
  readonly label: string;
  /** How many levels are open at first. */
  readonly openLevels?: number;
}

/** JSON that opens and closes level by level. */
export function JsonTree({ node, label, openLevels = 2 }: JsonTreeProps) {
  return (
    <Box role="group" aria-label={label} className={classes.tree}>
      <Children node={node} open={openLevels} />
    </Box>
  );
}

interface BranchProps {
  readonly node: JsonNode;
  readonly open: number;
}

/** As many entries of a level are shown at once: there may be hundreds of thousands. */
const portion = 100;

function Children({ node, open }: BranchProps) {
  const { xapi } = useTexts();
  const [shown, setShown] = useState(portion);
  if (node.kind === 'value') return <Value source={node.source} />;
  const members = membersOf(node);
  return (
    <>
      <ul>
        {members.slice(0, shown).map(({ key, value }, place) => (
          // Keys may repeat, and what is shown never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells them apart.
          <li key={place}>
            <Entry name={key} node={value} open={open - 1} />
          </li>
        ))}
      </ul>
      {members.length > shown && (
        <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + portion)}>
          {xapi.moreEntries(members.length - shown)}
        </Button>
      )}
    </>
  );
}

function Entry({ name, node, open }: BranchProps & { readonly name: string }) {
  const { xapi } = useTexts();
  const [isOpen, setOpen] = useState(open > 0);
  if (node.kind === 'value' || membersOf(node).length === 0) {
    return (
      <div className="wrap-anywhere">
        <b>{name}</b>: <Value source={node.kind === 'value' ? node.source : emptyOf(node)} />
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>{name}</b>{' '}
        <Text span size="xs" c="dimmed">
          {node.kind === 'array' ? xapi.entries(node.items.length) : xapi.members(node.members.length)}
        </Text>
      </summary>
      {isOpen && <Children node={node} open={open} />}
    </details>
  );
}

function Value({ source }: { readonly source: string }) {
  return <span className={classes.value}>{source}</span>;
}

function membersOf(node: JsonNode): readonly Pick<JsonMember, 'key' | 'value'>[] {
  if (node.kind === 'value') return [];
  return node.kind === 'object'
    ? node.members
    : node.items.map((value, place) => ({ key: String(place), value }));
}

function emptyOf({ kind }: JsonNode): string {
  return kind === 'array' ? '[]' : '{}';
}
