import { Text } from '@mantine/core';
import { NeedsKey } from '../../components/needs-key.tsx';
import { Page } from '../../components/page.tsx';
import { useObservable } from '../../observable/observable.ts';
import { useTexts } from '../../texts/texts.tsx';
import { currentUpload } from './engine/desk.ts';
import { NewUpload } from './new-upload.tsx';
import { RunningUpload } from './running-upload.tsx';

/** Sends a file of statements through the xAPI. */
export function UploadScreen() {
  const { pages, upload } = useTexts();
  const run = useObservable(currentUpload);
  return (
    <Page title={pages.upload}>
      <Text size="sm" maw={800}>
        {upload.intro}
      </Text>
      <NeedsKey>
        {(xapi) =>
          run === undefined ? (
            <NewUpload xapi={xapi} />
          ) : (
            <RunningUpload key={run.startedAt} run={run} xapi={xapi} />
          )
        }
      </NeedsKey>
    </Page>
  );
}
