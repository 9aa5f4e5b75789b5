import { Fieldset, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { type KnownAgent, useKnownAgents } from '../api/browse.ts';
import { useTexts } from '../texts/texts.tsx';
import {
  type AgentDraft,
  draftOfJson,
  emptyDraft,
  identifierKinds,
  identifierText,
  jsonOfDraft,
} from '../xapi/actor.ts';
import { SuggestInput, type Suggestion } from './suggest-input.tsx';

interface AgentPickerProps {
  readonly label: string;
  readonly description?: string;
  /** The Agent as JSON text, as the parameter `agent` takes it; empty for none. */
  readonly value: string;
  readonly onChange: (json: string) => void;
  readonly error?: string | undefined;
  /** Whether any JSON may be given, such as that of a Group. */
  readonly withJson?: boolean;
}

/** Names an Agent by one of its identifiers, with suggestions from those that are known. */
export function AgentPicker(props: AgentPickerProps) {
  const { label, description, value, onChange, error, withJson = true } = props;
  const { xapi } = useTexts();
  const [draft, setDraft] = useState<AgentDraft>(emptyDraft);
  const errorId = useId();
  // The value leads: it also changes from outside, such as when the address does.
  const shown = jsonOfDraft(draft) === value ? draft : draftOfJson(value);
  const change = (next: AgentDraft) => {
    setDraft(next);
    onChange(jsonOfDraft(next));
  };
  // As it is: what is typed loses blanks around it, which belong to the name of some account.
  const choose = (json: string) => {
    setDraft(draftOfJson(json));
    onChange(json);
  };
  const kinds = withJson ? [...identifierKinds, 'json' as const] : identifierKinds;
  return (
    <Fieldset legend={label} p="xs" {...(error !== undefined && { 'aria-describedby': errorId })}>
      <Stack gap="xs">
        {description !== undefined && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        <Group gap="xs" align="flex-start" grow preventGrowOverflow={false}>
          <Select
            label={xapi.identifier}
            value={shown.kind}
            data={kinds.map((kind) => ({ value: kind, label: xapi.identifierKinds[kind] }))}
            allowDeselect={false}
            onChange={(kind) => kind !== null && change(ofKind(shown, kind))}
          />
          <Identifier draft={shown} onChange={change} onChoose={choose} />
        </Group>
        {error !== undefined && (
          <Text id={errorId} size="xs" c="var(--mantine-color-error)" className="wrap-anywhere">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

function ofKind(draft: AgentDraft, kind: AgentDraft['kind']): AgentDraft {
  return kind === 'json' ? { kind, value: jsonOfDraft(draft), homePage: '' } : { ...emptyDraft, kind };
}

interface IdentifierProps {
  readonly draft: AgentDraft;
  readonly onChange: (draft: AgentDraft) => void;
  /** Told the JSON of the Agent that was suggested. */
  readonly onChoose: (json: string) => void;
}

function Identifier({ draft, onChange, onChoose }: IdentifierProps) {
  const { xapi } = useTexts();
  const { kind, value } = draft;
  const known = useKnownAgents(value, kind !== 'json').map(suggestionOf);
  if (kind === 'json') {
    return (
      <Textarea
        label={xapi.identifierKinds.json}
        value={value}
        onChange={(event) => onChange({ ...draft, value: event.currentTarget.value })}
        autosize
        minRows={1}
        maxRows={10}
        spellCheck={false}
      />
    );
  }
  const suggested = new Set(known.map((each) => each.value));
  return (
    <>
      <SuggestInput
        label={kind === 'account' ? xapi.accountName : xapi.identifierKinds[kind]}
        value={value}
        suggestions={known}
        onChange={(text) => (suggested.has(text) ? onChoose(text) : onChange({ ...draft, value: text }))}
      />
      {kind === 'account' && (
        <TextInput
          label={xapi.accountHomePage}
          value={draft.homePage}
          onChange={(event) => onChange({ ...draft, homePage: event.currentTarget.value })}
          placeholder="https://…"
          spellCheck={false}
        />
      )}
    </>
  );
}

function suggestionOf({ agent, names }: KnownAgent): Suggestion {
  return { value: JSON.stringify(agent), name: names[0], shown: identifierText(agent) ?? '' };
}
