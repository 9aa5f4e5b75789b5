import { Select, SimpleGrid, Text } from '@mantine/core';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { shapeAt, type ValueKind } from '../../../../../lib/reactions/ruleset/shape.ts';
import { useEnvironment } from '../../../api/environment.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { valueAt } from '../../../xapi/json-edit.ts';
import { ConditionSelect } from './condition-select.tsx';
import { usePlace } from './editing.ts';
import { NotesView, noteProps } from './notes-view.tsx';
import { PathRow } from './path-row.tsx';
import { asScalar, ScalarInput, scalarType, scalarTypes } from './scalar-input.tsx';

interface OperandProps {
  /** Where the comparison is. */
  readonly at: PropertyPath;
  /** What is compared. */
  readonly path: PropertyPath;
  readonly kind: ValueKind | undefined;
  readonly hasReference: boolean;
}

/** What a comparison compares with. */
export function Operand({ at, path, kind, hasReference }: OperandProps) {
  const op = usePlace([...at, 'op']);
  return hasReference ? (
    <Reference at={[...at, 'ref']} />
  ) : (
    <Value at={[...at, 'val']} path={path} kind={kind} isPattern={op.value === 'like'} />
  );
}

function Reference({ at }: { readonly at: PropertyPath }) {
  const { reactions } = useTexts();
  const { value, notesWithin, set } = usePlace(at);
  const path = usePlace([...at, 'path']);
  const rest = notesWithin.filter((note) => note.path[at.length] !== 'path');
  return (
    <>
      <PathRow
        label={reactions.itsPath}
        value={path.value}
        notes={path.notesWithin}
        onlyValues
        onChange={path.set}
        before={
          <ConditionSelect
            value={valueAt(value, ['condition'])}
            onChange={(condition) => set({ condition, path: path.value ?? [] })}
          />
        }
      />
      <NotesView notes={rest} />
    </>
  );
}

interface ValueProps extends Pick<OperandProps, 'at' | 'path' | 'kind'> {
  /** Whether it is a pattern that texts have to fit. */
  readonly isPattern: boolean;
}

function Value({ at, path, kind, isPattern }: ValueProps) {
  const { reactions } = useTexts();
  const version = useEnvironment()['reaction-version'];
  const { value, notesWithin, set } = usePlace(at);
  const wanted = kind === 'array' ? shapeAt(path, version)?.item?.kind : kind;
  const type = scalarType(value);
  // Where the path says what it has to be there is nothing to choose, unless it is something else.
  const isGiven = wanted === 'string' || wanted === 'number' || wanted === 'boolean';
  const shownType = type ?? 'string';
  return (
    <>
      <SimpleGrid
        type="container"
        cols={{ base: 1, '360px': isGiven && shownType === wanted ? 1 : 2 }}
        spacing="xs"
      >
        {(!isGiven || shownType !== wanted) && (
          <Select
            label={reactions.type}
            value={shownType}
            data={scalarTypes.map((each) => ({ value: each, label: reactions.types[each] }))}
            allowDeselect={false}
            onChange={(next) => {
              const chosen = scalarTypes.find((each) => each === next);
              if (chosen !== undefined) set(asScalar(value, chosen));
            }}
            {...(shownType === 'null' && noteProps(notesWithin))}
          />
        )}
        <ScalarInput
          label={reactions.value}
          value={value}
          type={shownType}
          path={path}
          notes={notesWithin}
          onChange={set}
        />
      </SimpleGrid>
      {isPattern && (
        <Text size="xs" c="dimmed">
          {reactions.likeHint}
        </Text>
      )}
    </>
  );
}
