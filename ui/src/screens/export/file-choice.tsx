import { Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { useTexts } from '../../texts/texts.tsx';
import { type FileKind, fileKinds } from './export-file.ts';

interface FileChoiceProps {
  readonly kind: FileKind;
  readonly isCompressed: boolean;
  readonly hasMaps: boolean;
  readonly onKind: (kind: FileKind) => void;
  readonly onCompressed: (isCompressed: boolean) => void;
  readonly onMaps: (hasMaps: boolean) => void;
}

/** What the file is to hold and in which form. */
export function FileChoice({ kind, isCompressed, hasMaps, onKind, onCompressed, onMaps }: FileChoiceProps) {
  const { export: texts } = useTexts();
  return (
    <Stack gap="xs">
      <Radio.Group
        label={texts.file}
        value={kind}
        onChange={(value) => onKind(fileKinds.find((each) => each === value) ?? 'csv')}
      >
        <Group gap="md" mt={4}>
          {fileKinds.map((each) => (
            <Radio key={each} value={each} label={texts.kinds[each]} />
          ))}
        </Group>
      </Radio.Group>
      <Text size="xs" c="dimmed">
        {texts.kindHints[kind]}
      </Text>
      {kind === 'csv' ? (
        <Checkbox
          label={texts.maps}
          description={texts.mapsHint}
          checked={hasMaps}
          onChange={(event) => onMaps(event.currentTarget.checked)}
        />
      ) : (
        <Checkbox
          label={texts.compressed}
          checked={isCompressed}
          onChange={(event) => onCompressed(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
