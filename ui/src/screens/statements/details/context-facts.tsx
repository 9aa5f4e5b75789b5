import { Stack } from '@mantine/core';
import { type Context, contextActivityRoles } from '../../../../../lib/xapi/types.ts';
import type { Fact } from '../../../components/facts.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type JsonNode, memberOf } from '../../../xapi/json-node.ts';
import type { Address } from '../use-address.ts';
import { Extensions } from './extensions.tsx';
import { ActivityValue, ActorValue, type Linking, RegistrationValue, StatementLink } from './values.tsx';

interface Surroundings extends Linking {
  readonly node: JsonNode | undefined;
}

/** What a context says, as far as it says something. */
export function useContextFacts(
  context: Context | undefined,
  { node, link, isRelated }: Surroundings,
): (Fact | undefined)[] {
  const { statements } = useTexts();
  const { registration, instructor, team, platform, language, revision, statement, extensions } =
    context ?? {};
  const plain = { platform, language, revision };
  return [
    registration === undefined
      ? undefined
      : {
          name: statements.parameters.registration,
          value: <RegistrationValue registration={registration} link={link} isRelated={isRelated} />,
        },
    instructor && {
      name: statements.instructor,
      value: <ActorValue actor={instructor} link={link} isRelated />,
    },
    team && { name: statements.team, value: <ActorValue actor={team} link={link} isRelated /> },
    ...activityFacts(context, { link, names: statements.roles }),
    ...agentFacts(context, { link, names: statements }),
    ...(['platform', 'language', 'revision'] as const).map((name) =>
      plain[name] === undefined ? undefined : { name: statements[name], value: plain[name] },
    ),
    statement && { name: statements.reference, value: <StatementLink id={statement.id} link={link} /> },
    extensions && {
      name: `${statements.context}: ${statements.extensions}`,
      value: <Extensions node={memberOf(node, 'extensions')} />,
    },
  ];
}

type Linked<Names> = { readonly link: Address['link']; readonly names: Names };

function activityFacts(
  context: Context | undefined,
  { link, names }: Linked<Readonly<Record<(typeof contextActivityRoles)[number], string>>>,
): Fact[] {
  return contextActivityRoles.flatMap((role) => {
    const activities = [context?.contextActivities?.[role] ?? []].flat();
    if (activities.length === 0) return [];
    const value = activities.map((activity) => (
      <ActivityValue key={activity.id} activity={activity} node={undefined} link={link} isRelated />
    ));
    return [{ name: names[role], value: <Stack gap="xs">{value}</Stack> }];
  });
}

function agentFacts(
  context: Context | undefined,
  { link, names }: Linked<{ readonly contextAgents: string; readonly contextGroups: string }>,
): (Fact | undefined)[] {
  const lists = {
    contextAgents: context?.contextAgents?.map(({ agent }) => agent) ?? [],
    contextGroups: context?.contextGroups?.map(({ group }) => group) ?? [],
  };
  return (['contextAgents', 'contextGroups'] as const).map((name) => {
    if (lists[name].length === 0) return undefined;
    const value = lists[name].map((actor) => (
      <ActorValue key={JSON.stringify(actor)} actor={actor} link={link} isRelated />
    ));
    return { name: names[name], value: <Stack gap="xs">{value}</Stack> };
  });
}
