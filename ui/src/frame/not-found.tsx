import { Text } from '@mantine/core';
import { Page } from '../components/page.tsx';
import { useTexts } from '../texts/texts.tsx';

export function NotFound() {
  const { common } = useTexts();
  return (
    <Page title={common.notFoundTitle}>
      <Text>{common.notFoundText}</Text>
    </Page>
  );
}
