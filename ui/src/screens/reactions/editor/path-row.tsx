import { Box, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { kindAt } from '../../../../../lib/reactions/ruleset/shape.ts';
import { useEnvironment } from '../../../api/environment.ts';
import { SuggestInput } from '../../../components/suggest-input.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { isPath, keyOf, pathText, typedPath } from '../../../xapi/property-path.ts';
import type { Note } from './notes.ts';
import { noteProps } from './notes-view.tsx';
import { suggestedPaths } from './path-suggestions.ts';
import { RemoveButton, type RemoveButtonProps } from './remove-button.tsx';
import { useKnownPaths } from './use-known-paths.ts';

interface PathRowProps {
  readonly label: string;
  /** What the ruleset has as the path. */
  readonly value: unknown;
  readonly notes: readonly Note[];
  readonly onChange: (path: PropertyPath) => void;
  /** Whether the path has to lead to a single value. */
  readonly onlyValues?: boolean;
  /** Whether it may stand for the whole statement. */
  readonly mayBeEmpty?: boolean;
  /** Before the field, such as the condition whose statement is meant. */
  readonly before?: ReactNode;
  /** The name and work of the button that removes it. */
  readonly remove?: RemoveButtonProps;
}

/** A path into a statement, with suggestions, what stands there and what the server says about it. */
export function PathRow(props: PathRowProps) {
  const { label, value, notes, onChange, onlyValues = false, mayBeEmpty = false, before, remove } = props;
  const { reactions } = useTexts();
  const version = useEnvironment()['reaction-version'];
  const known = useKnownPaths();
  const [typed, setTyped] = useState<string>();
  const path = isPath(value) ? value : [];
  // The ruleset leads; what is typed only keeps a form that means the same, such as a dot at its end.
  const text = typed !== undefined && keyOf(typedPath(typed)) === keyOf(path) ? typed : pathText(path);
  const kind = path.length === 0 ? undefined : kindAt(path, version);
  const suggestions = suggestedPaths(typed === undefined ? '' : text, known, { version, onlyValues });
  const unknown = path.length > 0 && kind === undefined;
  return (
    <Box>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Group gap="xs" align="flex-start" flex={1} miw={0} grow preventGrowOverflow={false}>
          {before}
          <SuggestInput
            label={label}
            value={text}
            suggestions={suggestions.map((each) => ({
              value: pathText(each.path),
              name: pathText(each.path),
              shown: each.example ?? reactions.kinds[kindAt(each.path, version) ?? 'object'],
            }))}
            onChange={(next) => {
              setTyped(next);
              onChange(typedPath(next));
            }}
            onBlur={() => setTyped(undefined)}
            {...(unknown ? { error: reactions.noSuchPath } : noteProps(notes))}
            {...(mayBeEmpty && { placeholder: reactions.wholeStatement })}
            suffix={kind === undefined ? undefined : reactions.kinds[kind]}
          />
        </Group>
        {remove !== undefined && <RemoveButton {...remove} />}
      </Group>
    </Box>
  );
}
