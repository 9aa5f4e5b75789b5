import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Attachment } from '../../../../../lib/xapi/types.ts';
import { sendXapi, type XapiAccess } from '../../../api/xapi.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { fileName } from '../../../components/file-name.ts';
import { saveFile } from '../../../components/save-file.ts';
import { WebLink } from '../../../components/web-link.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useNames } from '../../../texts/use-names.ts';
import { partsOf } from '../../../xapi/multipart.ts';
import type { StatementText } from '../queries.ts';

interface AttachmentsProps {
  readonly xapi: XapiAccess;
  readonly found: StatementText;
}

/** The attachments of a statement and of its SubStatement. */
export function Attachments({ xapi, found }: AttachmentsProps) {
  const { statements } = useTexts();
  const { object, attachments = [] } = found.statement;
  const inner = object.objectType === 'SubStatement' ? (object.attachments ?? []) : [];
  const all = [...attachments, ...inner];
  if (all.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={4} size="h5">
        {statements.attachments}
      </Title>
      {all.map((attachment) => (
        <AttachmentRow
          key={`${attachment.sha2} ${attachment.usageType}`}
          xapi={xapi}
          found={found}
          attachment={attachment}
        />
      ))}
    </Stack>
  );
}

function AttachmentRow({ xapi, found, attachment }: AttachmentsProps & { readonly attachment: Attachment }) {
  const { statements } = useTexts();
  const { bytes } = useFormats();
  const names = useNames();
  const { contentType, length, sha2, fileUrl, usageType } = attachment;
  const name = names.text(attachment.display) ?? sha2;
  const download = useMutation({
    mutationFn: () => contentOf(xapi, found, attachment),
    onSuccess: (content) => content !== undefined && saveFile(content, fileName(name, attachment)),
  });
  return (
    <Stack gap={2}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" className="wrap-anywhere">
          {name} ({contentType}, {bytes(length)})
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          aria-label={statements.downloadOf(name)}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {statements.download}
        </Button>
      </Group>
      {names.text(attachment.description) !== undefined && (
        <Text size="sm">{names.text(attachment.description)}</Text>
      )}
      <Text size="xs" c="dimmed" className="wrap-anywhere">
        {usageType} · SHA-2 {sha2}
      </Text>
      {fileUrl !== undefined && <WebLink address={fileUrl}>{statements.fileUrl(fileUrl)}</WebLink>}
      {download.error !== null && <ErrorNotice error={download.error} />}
      {download.isSuccess && download.data === undefined && (
        <Text size="sm" role="status">
          {statements.noContent}
        </Text>
      )}
    </Stack>
  );
}

/** The data of an attachment; undefined when the store was only told where it is. */
async function contentOf(
  xapi: XapiAccess,
  { statement, isVoided }: StatementText,
  { sha2, contentType }: Attachment,
): Promise<Blob | undefined> {
  const name = isVoided ? 'voidedStatementId' : 'statementId';
  const response = await sendXapi(xapi, 'statements', { query: { [name]: statement.id, attachments: true } });
  const parts = partsOf(
    response.headers.get('Content-Type') ?? '',
    new Uint8Array(await response.arrayBuffer()),
  );
  const hash = sha2.toLowerCase();
  const part = parts.find(({ headers }) => headers['x-experience-api-hash']?.toLowerCase() === hash);
  return part && new Blob([part.content], { type: contentType });
}
