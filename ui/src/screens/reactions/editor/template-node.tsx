import { Box, Button, Code, Group, Select, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { PropertyPath } from '../../../../../lib/csv/property-paths.ts';
import { pathMember } from '../../../../../lib/reactions/ruleset/placeholder.ts';
import { kindAt, shapeAt } from '../../../../../lib/reactions/ruleset/shape.ts';
import { useEnvironment } from '../../../api/environment.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { isObject } from '../../../xapi/json-edit.ts';
import { pathText } from '../../../xapi/property-path.ts';
import { AddMember } from './add-member.tsx';
import { ConditionSelect } from './condition-select.tsx';
import { useConditionNames, usePlace } from './editing.ts';
import classes from './editor.module.css';
import { NotesView } from './notes-view.tsx';
import { PathRow } from './path-row.tsx';
import { listMarks, RemoveButton } from './remove-button.tsx';
import { ScalarInput } from './scalar-input.tsx';
import {
  asTemplateKind,
  emptyOf,
  isScalar,
  type TemplateKind,
  templateKind,
  templateKinds,
} from './template-kinds.ts';

interface TemplateNodeProps {
  /** In the ruleset. */
  readonly at: PropertyPath;
  readonly name: string;
  /** The whole template, which can't be removed. */
  readonly isRoot?: boolean;
}

/** A part of the template, whatever it is. That the whole of it is an object goes without saying. */
export function TemplateNode({ at, name, isRoot = false }: TemplateNodeProps) {
  const { value, notes } = usePlace(at);
  const path = at.slice(1);
  const kind = templateKind(value);
  return (
    <Stack gap={4} role="group" aria-label={isRoot ? name : pathText(path)}>
      {!(isRoot && kind === 'object') && <Head at={at} name={name} isRoot={isRoot} />}
      {!isRoot && !hasField(kind) && <NotesView notes={notes} />}
      <Content at={at} kind={kind} value={value} />
    </Stack>
  );
}

/** What it is called and of which kind it is; its value, where that is a single one. */
function Head({ at, name, isRoot = false }: TemplateNodeProps) {
  const { reactions } = useTexts();
  const version = useEnvironment()['reaction-version'];
  const names = useConditionNames();
  const { value, notes, set, remove } = usePlace(at);
  const path = at.slice(1);
  const kind = templateKind(value);
  return (
    <Group gap="xs">
      <Group gap="xs" wrap="nowrap" maw="100%">
        {!isRoot && (
          <Code className="wrap-anywhere" flex="0 0 auto" maw="50%">
            {name}
          </Code>
        )}
        <Select
          size="xs"
          aria-label={reactions.kindOf(isRoot ? name : pathText(path))}
          value={kind}
          data={templateKinds.map((each) => ({ value: each, label: reactions.templateKinds[each] }))}
          allowDeselect={false}
          flex="0 1 150px"
          onChange={(next) => {
            const chosen = templateKinds.find((each) => each === next);
            if (chosen !== undefined) set(asTemplateKind(value, chosen, { path, names, version }));
          }}
        />
      </Group>
      <Group gap="xs" wrap="nowrap" {...(isScalar(kind) && { flex: '1 1 200px' })}>
        {isScalar(kind) && (
          <Box flex={1} miw={0}>
            <ScalarInput
              isInline
              label={reactions.valueOf(pathText(path))}
              value={value}
              type={kind}
              path={path}
              notes={notes}
              onChange={set}
            />
          </Box>
        )}
        {!isRoot && <RemoveButton label={reactions.removeMember(pathText(path))} onClick={remove} isInline />}
      </Group>
    </Group>
  );
}

/** Whether it has a field of its own for a value. */
function hasField(kind: TemplateKind): boolean {
  return isScalar(kind) && kind !== 'null';
}

interface ContentProps {
  readonly at: PropertyPath;
  readonly kind: TemplateKind;
  readonly value: unknown;
}

function Content({ at, kind, value }: ContentProps) {
  switch (kind) {
    case 'path':
      return <Placeholder at={[...at, pathMember]} />;
    case 'object':
      return <Members at={at} members={isObject(value) ? value : {}} />;
    case 'array':
      return <Items at={at} items={Array.isArray(value) ? value : []} />;
    default:
      return null;
  }
}

/** A value of a matched statement: of which one, and where it stands there. */
function Placeholder({ at }: { readonly at: PropertyPath }) {
  const { reactions } = useTexts();
  const { value, notesWithin, set } = usePlace(at);
  const [condition, ...path] = Array.isArray(value) ? value : [];
  return (
    <PathRow
      label={reactions.path}
      value={path}
      notes={notesWithin}
      mayBeEmpty
      onChange={(next) => set([condition ?? '', ...next])}
      before={<ConditionSelect value={condition} onChange={(name) => set([name, ...path])} />}
    />
  );
}

interface MembersProps {
  readonly at: PropertyPath;
  readonly members: Readonly<Record<string, unknown>>;
}

function Members({ at, members }: MembersProps) {
  const version = useEnvironment()['reaction-version'];
  const { set } = usePlace(at);
  const path = at.slice(1);
  const names = Object.keys(members);
  return (
    <Stack gap="xs" className={classes.nested} {...listMarks.list}>
      {names.map((name) => (
        <TemplateNode key={name} at={[...at, name]} name={name} />
      ))}
      <AddMember
        path={path}
        taken={names}
        onAdd={(name) => set({ ...members, [name]: emptyOf(kindAt([...path, name], version)) })}
      />
    </Stack>
  );
}

function Items({ at, items }: { readonly at: PropertyPath; readonly items: readonly unknown[] }) {
  const { reactions } = useTexts();
  const version = useEnvironment()['reaction-version'];
  const { set } = usePlace(at);
  const path = at.slice(1);
  return (
    <Stack gap="xs" className={classes.nested} {...listMarks.list}>
      {items.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields show what the template has at the place.
        <TemplateNode key={index} at={[...at, index]} name={String(index)} />
      ))}
      <Button
        size="compact-xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        {...listMarks.add}
        aria-label={reactions.addItemTo(pathText(path))}
        onClick={() => set([...items, emptyOf(shapeAt(path, version)?.item?.kind)])}
        style={{ alignSelf: 'flex-start' }}
      >
        {reactions.addItem}
      </Button>
    </Stack>
  );
}
