import { List } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReactionDetails } from '../../../../../lib/reactions/service-types.ts';
import { useEnvironment } from '../../../api/environment.ts';
import { Facts } from '../../../components/facts.tsx';
import { ServerText, TechnicalDetail } from '../../../components/server-text.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { pathText } from '../../../xapi/property-path.ts';
import { noteText } from '../editor/note-text.ts';
import { notesOf } from '../editor/notes.ts';
import { FailureView } from '../failure-view.tsx';
import { StateBadge } from '../state-badge.tsx';

/** From so many seconds on, the screen says why statements wait. */
const noticeable = 10;

/** What a reaction is and how it is doing. */
export function ReactionFacts({ reaction }: { readonly reaction: ReactionDetails }) {
  const { reactions } = useTexts();
  const { number, dateTime } = useFormats();
  const xapiVersion = useEnvironment()['reaction-version'];
  const {
    error,
    fired,
    failed,
    lastFired,
    lag,
    slow,
    delayed,
    active,
    warnings = [],
    version,
    ruleset,
    lastFailure,
    created,
    modified,
  } = reaction;
  const lagText = ({ statements, seconds }: ReactionDetails['lag']): string =>
    statements === 0 ? reactions.noLag : reactions.lagText(statements, Math.round(seconds), number);
  const delayText = (): ReactNode => {
    if (delayed !== undefined) return <ServerText>{delayed.error}</ServerText>;
    // A slow one waits for nothing but itself, which its speed says.
    return active && !slow && lag.seconds >= noticeable ? reactions.givesWay : undefined;
  };
  return (
    <Facts
      label={reactions.details}
      facts={[
        { name: reactions.state, value: <StateBadge reaction={reaction} /> },
        {
          name: reactions.error,
          value: error === null ? undefined : <FailureView error={error} hasRemedy />,
        },
        { name: reactions.fired, value: number(fired) },
        { name: reactions.failed, value: number(failed) },
        {
          name: reactions.lastFailure,
          // The error is the same failure.
          value:
            lastFailure === undefined || error !== null ? undefined : (
              <FailureView error={lastFailure} hasRemedy />
            ),
        },
        { name: reactions.lastFired, value: lastFired === null ? reactions.never : dateTime(lastFired) },
        {
          name: reactions.lag,
          value: active ? lagText(lag) : undefined,
        },
        { name: reactions.delay, value: delayText() },
        { name: reactions.speed, value: active && slow ? reactions.slow : undefined },
        { name: reactions.version, value: number(version) },
        { name: reactions.created, value: dateTime(created) },
        { name: reactions.modified, value: dateTime(modified) },
        {
          name: reactions.warnings,
          value:
            warnings.length === 0 ? undefined : (
              <List size="sm">
                {notesOf(warnings, 'warning').map((note) => (
                  <List.Item key={`${pathText(note.path)} ${note.message}`} className="wrap-anywhere">
                    {pathText(note.path)}:{' '}
                    {noteText(note, { ruleset, version: xapiVersion, texts: reactions })}
                    <TechnicalDetail>{note.message}</TechnicalDetail>
                  </List.Item>
                ))}
              </List>
            ),
        },
      ]}
    />
  );
}
