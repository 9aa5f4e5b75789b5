import { ActionIcon, CopyButton as MantineCopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTexts } from '../texts/texts.tsx';

/** Copies a text; `label` names what is copied for those who don't see it, such as "Copy: secret". */
export function CopyButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const { common } = useTexts();
  const name = label ?? common.copy;
  return (
    <MantineCopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? common.copied : name}>
          <ActionIcon variant="subtle" aria-label={copied ? common.copied : name} onClick={copy}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  );
}
