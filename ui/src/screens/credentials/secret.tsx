import { ActionIcon, Code, Group, Tooltip } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { hiddenSecret } from '../../api/curl.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface SecretProps {
  readonly value: string;
  readonly revealed: boolean;
  readonly onToggle: () => void;
}

/** A secret that is hidden until somebody wants to see it; it is copied whole either way. */
export function Secret({ value, revealed, onToggle }: SecretProps) {
  const { credentials: texts } = useTexts();
  const label = revealed ? texts.hideSecret : texts.revealSecret;
  const Icon = revealed ? IconEyeOff : IconEye;
  return (
    <Group gap={4} wrap="nowrap">
      <Code className="wrap-anywhere">{revealed ? value : hiddenSecret}</Code>
      <Tooltip label={label}>
        <ActionIcon variant="subtle" aria-label={label} onClick={onToggle}>
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <CopyButton value={value} label={texts.copySecret} />
    </Group>
  );
}
