import { Button, Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { auditKinds } from '../../../../lib/audit/types.ts';
import type { AuditFilters } from '../../api/audit.ts';
import { useTexts } from '../../texts/texts.tsx';
import { agentIn, identifierText } from '../../xapi/actor.ts';

const names = ['kind', 'username', 'agent'] as const;

/** What the address asks for. */
export function filtersOf(search: URLSearchParams): AuditFilters {
  return Object.fromEntries(names.map((name) => [name, search.get(name)]).filter(([, value]) => value));
}

/** Narrows the trail to a kind of events; those of an account or about an Agent are chosen in the rows. */
export function AuditFilter({ filters }: { readonly filters: AuditFilters }) {
  const { audit: texts } = useTexts();
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string | null) => {
    const next = new URLSearchParams(search);
    if (value === null) next.delete(name);
    else next.set(name, value);
    setSearch(next);
  };
  const { kind, username, agent } = filters;
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={texts.kind}
        placeholder={texts.allKinds}
        value={kind ?? null}
        data={auditKinds.map((each) => ({ value: each, label: texts.kinds[each] }))}
        clearable
        onChange={(value) => set('kind', value)}
      />
      {username !== undefined && (
        <Chosen text={texts.byAccount(username)} onRemove={() => set('username', null)} />
      )}
      {agent !== undefined && (
        <Chosen text={texts.aboutAgent(nameOf(agent))} onRemove={() => set('agent', null)} />
      )}
    </Group>
  );
}

function nameOf(json: string): string {
  const agent = agentIn(json);
  return (agent && identifierText(agent)) ?? json;
}

/** A filter that is removed by a click. */
function Chosen({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  const { audit: texts } = useTexts();
  return (
    <Button
      variant="light"
      rightSection={<IconX size={16} aria-hidden />}
      aria-label={texts.withoutFilter(text)}
      onClick={onRemove}
    >
      {text}
    </Button>
  );
}
