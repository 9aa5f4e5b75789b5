import { Text } from '@mantine/core';
import { useTexts } from '../texts/texts.tsx';

/** What the server said, which is in English whatever the language of the screen. */
export function ServerText({ children }: { readonly children: string }) {
  return (
    <Text size="xs" c="dimmed" lang="en" className="wrap-anywhere">
      {children}
    </Text>
  );
}

/** The same, out of the way of a text that says it already in the language of the screen. */
export function TechnicalDetail({ children }: { readonly children: string }) {
  const { common } = useTexts();
  return (
    <details>
      <Text component="summary" size="xs" c="dimmed" mih={24} style={{ cursor: 'pointer' }}>
        {common.technicalDetail}
      </Text>
      <ServerText>{children}</ServerText>
    </details>
  );
}
