import { Select, SimpleGrid, Stack } from '@mantine/core';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { kindAt, shapeAt } from '../../../../../lib/reactions/ruleset/shape.ts';
import { operators } from '../../../../../lib/reactions/types.ts';
import type { XapiVersion } from '../../../../../lib/xapi/types.ts';
import { useEnvironment } from '../../../api/environment.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { isObject, type JsonObject } from '../../../xapi/json-edit.ts';
import { isPath } from '../../../xapi/property-path.ts';
import { operatorsFor } from './conditions.ts';
import { useConditionNames, usePlace } from './editing.ts';
import { NotesView, noteProps } from './notes-view.tsx';
import { Operand } from './operand.tsx';
import { PathRow } from './path-row.tsx';
import { asScalar, scalarType } from './scalar-input.tsx';
import { emptyOf } from './template-kinds.ts';

function isOperator(text: string): boolean {
  return operators.some((each) => each === text);
}

/** A comparison: what of the statement, how, and with what. */
export function ClauseForm({ at }: { readonly at: PropertyPath }) {
  const { reactions } = useTexts();
  const version = useEnvironment()['reaction-version'];
  const names = useConditionNames();
  const clause = usePlace(at);
  const path = usePlace([...at, 'path']);
  const op = usePlace([...at, 'op']);
  const members = isObject(clause.value) ? clause.value : {};
  const hasReference = members.ref !== undefined && members.val === undefined;
  const compared = isPath(path.value) ? path.value : [];
  const kind = kindAt(compared, version);
  const offered = new Set([...operatorsFor(kind), ...operators.filter((each) => each === op.value)]);
  // One that there is not is shown as it is, beside the mistake.
  const unknown = [op.value].filter((each) => typeof each === 'string' && !isOperator(each)) as string[];
  const compare = (by: string | null) => {
    if (by === null || (by === 'ref') === hasReference) return;
    const { val: _val, ref: _ref, ...rest } = members;
    const other = names.find((name) => name !== at[1]) ?? names[0] ?? '';
    clause.set({
      ...rest,
      ...(by === 'ref' ? { ref: { condition: other, path: compared } } : { val: emptyOf(kind) }),
    });
  };
  const others = clause.notesWithin.filter(
    (note) => !['path', 'op', 'val', 'ref'].includes(String(note.path[at.length])),
  );
  return (
    <Stack gap="xs">
      <PathRow
        label={reactions.path}
        value={path.value}
        notes={path.notesWithin}
        onlyValues
        onChange={(next) => clause.set(withPath(members, next, version))}
      />
      <SimpleGrid type="container" cols={{ base: 1, '360px': 2 }} spacing="xs" verticalSpacing="xs">
        <Select
          label={reactions.operator}
          value={typeof op.value === 'string' ? op.value : null}
          data={[
            ...[...offered].map((each) => ({ value: each, label: reactions.operators[each] })),
            ...unknown.map((each) => ({ value: each, label: each })),
          ]}
          allowDeselect={false}
          onChange={op.set}
          {...noteProps(op.notesWithin)}
        />
        <Select
          label={reactions.comparedWith}
          value={hasReference ? 'ref' : 'val'}
          data={[
            { value: 'val', label: reactions.fixedValue },
            { value: 'ref', label: reactions.otherValue },
          ]}
          allowDeselect={false}
          onChange={compare}
        />
      </SimpleGrid>
      <Operand at={at} path={compared} kind={kind} hasReference={hasReference} />
      <NotesView notes={others} />
    </Stack>
  );
}

/** The comparison of another path; its value gets the type of the values there. */
function withPath(clause: JsonObject, path: PropertyPath, version: XapiVersion): JsonObject {
  const shape = shapeAt(path, version);
  const kind = shape?.kind === 'array' ? shape.item?.kind : shape?.kind;
  const { val } = clause;
  const isGiven = kind === 'string' || kind === 'number' || kind === 'boolean';
  if (!isGiven || val === undefined || scalarType(val) === kind) return { ...clause, path };
  return { ...clause, path, val: asScalar(val, kind) };
}
