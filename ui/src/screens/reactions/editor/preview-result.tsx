import { Accordion, Alert, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NearMiss, Preview, PreviewExample } from '../../../../../lib/reactions/service-types.ts';
import { JsonView } from '../../../components/json-view.tsx';
import { ServerText } from '../../../components/server-text.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { failureText } from '../failure-text.ts';
import { MatchedStatements } from '../matched-statements.tsx';
import { StatementAnchor } from '../statement-anchor.tsx';
import { reasonText } from './reason-text.ts';

interface PreviewResultProps {
  readonly preview: Preview;
  readonly ruleset: unknown;
}

/** How often it would fire, with examples; what would fail, and what is almost a match. */
export function PreviewResult({ preview, ruleset }: PreviewResultProps) {
  const { reactions } = useTexts();
  const { number } = useFormats();
  const { examined, triggers, firings, stoppedBy, examples, failures, nearMisses } = preview;
  return (
    <Stack gap="xs">
      <Alert color={firings > 0 ? 'green' : 'blue'} p="xs">
        {reactions.wouldFire(firings, number)} {reactions.examined(number(examined), number(triggers))}
        {triggers > 0 &&
          firings >= 2 * triggers &&
          ` ${reactions.manyFirings(number(firings), number(triggers))}`}
        {stoppedBy !== undefined && ` ${reactions.stoppedBy[stoppedBy]}`}
      </Alert>
      <Accordion
        multiple
        order={3}
        keepMounted={false}
        variant="contained"
        // What says most is open at first.
        key={String(firings > 0)}
        defaultValue={['failures', firings > 0 ? 'examples' : 'misses']}
      >
        {examples.length > 0 && (
          <Part name="examples" title={reactions.examples(number(examples.length))}>
            {examples.map((example, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer never changes.
              <Example key={index} example={example} />
            ))}
          </Part>
        )}
        {failures.length > 0 && (
          <Part name="failures" title={reactions.failures(number(failures.length))}>
            {failures.map(({ trigger, message, matches, ...kind }) => (
              <div key={`${trigger} ${message}`}>
                <Text size="sm">
                  {failureText(kind, reactions)} {matches > 1 && reactions.times(number(matches))}
                </Text>
                <ServerText>{message}</ServerText>
                <Trigger id={trigger} />
              </div>
            ))}
          </Part>
        )}
        {nearMisses.length > 0 && (
          <Part name="misses" title={reactions.nearMisses(number(nearMisses.length))}>
            {nearMisses.map((miss, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an answer never changes.
              <Miss key={index} miss={miss} ruleset={ruleset} />
            ))}
          </Part>
        )}
      </Accordion>
    </Stack>
  );
}

interface PartProps {
  readonly name: string;
  readonly title: string;
  readonly children: ReactNode;
}

function Part({ name, title, children }: PartProps) {
  return (
    <Accordion.Item value={name}>
      <Accordion.Control>{title}</Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">{children}</Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Trigger({ id }: { readonly id: string }) {
  const { reactions } = useTexts();
  return (
    <Text size="sm" component="div">
      {reactions.trigger}: <StatementAnchor id={id} isApart />
    </Text>
  );
}

function Example({ example: { trigger, matched, statement } }: { readonly example: PreviewExample }) {
  const { reactions } = useTexts();
  return (
    <Stack gap={4}>
      <Trigger id={trigger} />
      <MatchedStatements matched={matched} isApart />
      <JsonView text={JSON.stringify(statement)} label={reactions.generated} />
    </Stack>
  );
}

function Miss({ miss, ruleset }: { readonly miss: NearMiss; readonly ruleset: unknown }) {
  const { reactions } = useTexts();
  const { number } = useFormats();
  const others = miss.statements - 1;
  const isAlone = miss.reasons.some(({ op }) => op === 'partner');
  const alike = isAlone ? reactions.alikeWithoutPartner : reactions.alike;
  return (
    <Stack gap={4}>
      <Text size="sm" component="div" className="wrap-anywhere">
        {miss.condition}: <StatementAnchor id={miss.trigger} isApart /> {reactions.missed}
        {others > 0 && ` ${alike(others, number)}`}
      </Text>
      <List size="sm">
        {miss.reasons.map((reason) => (
          <List.Item key={`${reason.path} ${reason.found}`} className="wrap-anywhere">
            {reasonText(reason, { ruleset, texts: reactions })}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
