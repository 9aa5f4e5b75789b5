import { Group } from '@mantine/core';
import type { DocumentName } from '../../api/browse-pages.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { identifierText } from '../../xapi/actor.ts';
import type { ReadDocument } from './document-calls.ts';
import { idOf } from './document-name.ts';

interface DocumentFactsProps {
  readonly name: DocumentName;
  readonly document: ReadDocument;
}

/** All that is known of a document beside its content. */
export function DocumentFacts({ name, document }: DocumentFactsProps) {
  const { documents: texts, common } = useTexts();
  const { bytes, dateTime } = useFormats();
  const { agent, activityId, registration } = name;
  const { contentType, length, updated, etag } = document;
  const facts = [
    { name: texts.id, value: idOf(name) },
    { name: texts.activity, value: activityId },
    { name: texts.agent, value: agent && identifierText(agent) },
    { name: texts.registration, value: registration },
    { name: texts.type, value: contentType },
    { name: texts.length, value: bytes(length) },
    { name: texts.updated, value: updated && dateTime(updated) },
    {
      name: 'ETag',
      value: (
        <Group gap={4} wrap="nowrap">
          <span className="wrap-anywhere">{etag}</span>
          <CopyButton value={etag} label={`${common.copy}: ETag`} />
        </Group>
      ),
    },
  ];
  return <Facts label={texts.about} facts={facts} />;
}
