import { Anchor, Group, List, Stack, Text } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Activity, Actor, Verb } from '../../../../../lib/xapi/types.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useNames } from '../../../texts/use-names.ts';
import { identifierText, identityOf, isGroup } from '../../../xapi/actor.ts';
import { type JsonNode, memberOf } from '../../../xapi/json-node.ts';
import type { Filters } from '../filters.ts';
import { type Address, start } from '../use-address.ts';
import { Extensions } from './extensions.tsx';

export interface Linking {
  readonly link: Address['link'];
  /** Where filters find it only when they look at every role. */
  readonly isRelated?: boolean | undefined;
}

/** The link to all statements with the same value. */
function Same({ filters, name, link }: Linking & { readonly filters: Filters; readonly name: string }) {
  const { statements } = useTexts();
  return (
    <Anchor
      component={Link}
      {...link({ ...start, filters })}
      size="xs"
      aria-label={statements.sameFor(name)}
      style={{ display: 'inline-flex', alignItems: 'center', gap: 2, minHeight: 24, whiteSpace: 'nowrap' }}
    >
      <IconFilter size={14} aria-hidden />
      {statements.same}
    </Anchor>
  );
}

interface NamedProps {
  readonly name: string;
  /** What it is for machines. */
  readonly id: string | undefined;
  readonly children?: ReactNode;
}

/** A name, below it the identifier if that says more. */
function Named({ name, id, children }: NamedProps) {
  return (
    <Stack gap={0}>
      <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" className="wrap-anywhere">
          {name}
        </Text>
        {children}
      </Group>
      {id !== undefined && id !== name && (
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {id}
        </Text>
      )}
    </Stack>
  );
}

export function ActorValue({ actor, link, isRelated }: Linking & { readonly actor: Actor }) {
  const names = useNames();
  const name = names.actor(actor);
  const identity = identityOf(actor);
  const members = isGroup(actor) ? (actor.member ?? []) : [];
  return (
    <>
      <Named name={name} id={identifierText(actor)}>
        {identity !== undefined && (
          <Same
            filters={{ agent: JSON.stringify(identity), ...(isRelated && { related_agents: 'true' }) }}
            name={name}
            link={link}
          />
        )}
      </Named>
      {members.length > 0 && (
        <List size="xs">
          {members.map((member) => (
            <List.Item key={JSON.stringify(member)}>
              {names.actor(member)}
              {member.name !== undefined && ` · ${identifierText(member)}`}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

export function VerbValue({ verb, link, isRelated }: Linking & { readonly verb: Verb }) {
  const names = useNames();
  const name = names.verb(verb);
  return (
    <Named name={name} id={verb.id}>
      {/* No filter finds the Verb of a SubStatement, nor its registration. */}
      {!isRelated && <Same filters={{ verb: verb.id }} name={name} link={link} />}
    </Named>
  );
}

export function ActivityValue({ activity, node, link, isRelated }: ActivityValueProps) {
  const { statements } = useTexts();
  const names = useNames();
  const name = names.activity(activity);
  const { definition, id } = activity;
  const description = names.text(definition?.description);
  return (
    <Stack gap={2}>
      <Named name={name} id={id}>
        <Same
          filters={{ activity: id, ...(isRelated && { related_activities: 'true' }) }}
          name={name}
          link={link}
        />
      </Named>
      {description !== undefined && <Text size="sm">{description}</Text>}
      {definition?.type !== undefined && (
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {statements.type}: {definition.type}
        </Text>
      )}
      <Extensions node={memberOf(memberOf(node, 'definition'), 'extensions')} />
    </Stack>
  );
}

interface ActivityValueProps extends Linking {
  readonly activity: Activity;
  readonly node: JsonNode | undefined;
}

interface RegistrationValueProps extends Linking {
  readonly registration: string;
}

export function RegistrationValue({ registration, link, isRelated }: RegistrationValueProps) {
  return (
    <Named name={registration} id={undefined}>
      {!isRelated && <Same filters={{ registration }} name={registration} link={link} />}
    </Named>
  );
}

export function StatementLink({ id, link }: Linking & { readonly id: string }) {
  const { xapi } = useTexts();
  return (
    <Anchor component={Link} {...link({ show: id })} size="sm" className="wrap-anywhere">
      {xapi.statement(id)}
    </Anchor>
  );
}
