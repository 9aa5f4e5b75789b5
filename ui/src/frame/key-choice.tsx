import { Select } from '@mantine/core';
import { chooseCredential, nameOf, useCredentials } from '../api/credentials.ts';
import { useTexts } from '../texts/texts.tsx';

interface KeyChoiceProps {
  /** In the header there is room for it from a tablet on; on a phone it stands in the menu, with its label. */
  readonly place: 'header' | 'menu';
}

/** With which key pair the screen reads through the xAPI; shown when there is a choice. */
export function KeyChoice({ place }: KeyChoiceProps) {
  const { frame } = useTexts();
  const { chosen, credentials } = useCredentials();
  if (chosen === undefined || credentials.length < 2) return null;
  return (
    <Select
      {...(place === 'header'
        ? { 'aria-label': frame.keyPair, size: 'xs', w: 180, visibleFrom: 'sm' }
        : { label: frame.keyPair, hiddenFrom: 'sm', px: 'xs', pb: 'sm' })}
      allowDeselect={false}
      value={chosen['api-key']}
      data={credentials.map((each) => ({ value: each['api-key'], label: nameOf(each) }))}
      onChange={(apiKey) => apiKey !== null && chooseCredential(apiKey)}
    />
  );
}
