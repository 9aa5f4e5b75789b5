import { Text } from '@mantine/core';

/** What the server said, which is in English whatever the language of the screen. */
export function ServerText({ children }: { readonly children: string }) {
  return (
    <Text size="xs" c="dimmed" lang="en" className="wrap-anywhere">
      {children}
    </Text>
  );
}
