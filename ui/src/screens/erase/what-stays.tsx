import { List, Stack, Title } from '@mantine/core';
import { useTexts } from '../../texts/texts.tsx';

/** What no erasure reaches. */
export function WhatStays() {
  const { erase: texts } = useTexts();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {texts.staysTitle}
      </Title>
      <List size="sm" spacing={4}>
        {texts.stays.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Stack>
  );
}
