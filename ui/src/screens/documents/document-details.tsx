import type { DocumentName } from '../../api/browse-pages.ts';
import { NeedsScope } from '../../components/needs-scope.tsx';
import { PlaceLinks } from '../../components/place-links.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { resourceOf } from './document-name.ts';
import { DocumentView } from './document-view.tsx';

interface DocumentDetailsProps {
  readonly name: DocumentName;
  readonly onDeleted: () => void;
}

/** One document, read through the xAPI. */
export function DocumentDetails({ name, onDeleted }: DocumentDetailsProps) {
  const { documents: texts } = useTexts();
  const { agent, activityId } = name;
  const agentLink = { name: texts.agent, path: '/agents', query: { show: JSON.stringify(agent) } };
  const activityLink = { name: texts.activity, path: '/activities', query: { show: activityId } };
  return (
    <>
      <PlaceLinks
        label={texts.links}
        places={[...(agent ? [agentLink] : []), ...(activityId === undefined ? [] : [activityLink])]}
      />
      <NeedsScope resource={resourceOf(name)} access="read">
        {(xapi) => <DocumentView name={name} xapi={xapi} onDeleted={onDeleted} />}
      </NeedsScope>
    </>
  );
}
