import { Button, Collapse, Group, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId } from 'react';
import { SearchField } from '../../components/search-field.tsx';
import type { ListAddress } from '../../components/use-list-address.ts';
import { useTexts } from '../../texts/texts.tsx';
import { kindNameList } from './document-name.ts';
import { OwnerFilters } from './owner-filters.tsx';

/** Which documents are listed. */
export function DocumentFilters({ address }: { readonly address: ListAddress }) {
  const { documents: texts } = useTexts();
  const { kind = '', search = '', agent = '', activityId = '' } = address.place.filters;
  const [opened, { toggle }] = useDisclosure(agent !== '' || activityId !== '');
  const id = useId();
  const Icon = opened ? IconChevronUp : IconChevronDown;
  return (
    <Stack gap="xs">
      <Group align="flex-end" grow preventGrowOverflow={false}>
        <Select
          label={texts.kind}
          value={kind}
          allowDeselect={false}
          data={[
            { value: '', label: texts.allKinds },
            ...kindNameList.map((each) => ({ value: each, label: texts.kinds[each] })),
          ]}
          onChange={(value) => address.filter({ kind: value ?? '' })}
        />
        <SearchField
          label={texts.search}
          value={search}
          onSearch={(text) => address.filter({ search: text }, { replace: true })}
        />
      </Group>
      <Group>
        <Button
          variant="default"
          size="xs"
          aria-expanded={opened}
          aria-controls={id}
          rightSection={<Icon size={16} aria-hidden />}
          onClick={toggle}
        >
          {texts.owner}
        </Button>
      </Group>
      <Collapse expanded={opened} id={id}>
        <OwnerFilters
          key={`${agent} ${activityId}`}
          agent={agent}
          activityId={activityId}
          onFilter={address.filter}
        />
      </Collapse>
    </Stack>
  );
}
