import type { Statement, StatementObject } from '../../../../../lib/xapi/types.ts';
import { type Fact, Facts } from '../../../components/facts.tsx';
import { useFormats } from '../../../texts/formats.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { type JsonNode, memberOf } from '../../../xapi/json-node.ts';
import { useContextFacts } from './context-facts.tsx';
import { useResultFacts } from './result-facts.tsx';
import { ActivityValue, ActorValue, type Linking, StatementLink, VerbValue } from './values.tsx';

interface CardProps extends Linking {
  readonly statement: Statement;
  /** The same as it is written. */
  readonly node: JsonNode | undefined;
}

/** A statement, or SubStatement, for people: only what it has. */
export function StatementCard(props: CardProps) {
  const { statement, node, link } = props;
  const { statements } = useTexts();
  const { dateTime } = useFormats();
  const resultFacts = useResultFacts(statement.result, memberOf(node, 'result'));
  const contextFacts = useContextFacts(statement.context, { node: memberOf(node, 'context'), link });
  const { actor, verb, object, timestamp, stored, authority, version, id } = statement;
  const facts: (Fact | undefined)[] = [
    { name: statements.actor, value: <ActorValue actor={actor} link={link} /> },
    { name: statements.verb, value: <VerbValue verb={verb} link={link} /> },
    {
      name: statements.object,
      value: <ObjectValue object={object} node={memberOf(node, 'object')} link={link} />,
    },
    ...resultFacts,
    ...contextFacts,
    timestamp === undefined ? undefined : { name: statements.timestamp, value: dateTime(timestamp) },
    stored === undefined ? undefined : { name: statements.stored, value: dateTime(stored) },
    authority && { name: statements.authority, value: <ActorValue actor={authority} link={link} /> },
    version === undefined ? undefined : { name: statements.version, value: version },
    id === undefined ? undefined : { name: statements.id, value: id },
  ];
  return <Facts label={statements.card} facts={facts.filter((fact) => fact !== undefined)} />;
}

interface ObjectValueProps extends Linking {
  readonly object: StatementObject;
  readonly node: JsonNode | undefined;
}

function ObjectValue({ object, node, link }: ObjectValueProps) {
  switch (object.objectType) {
    case 'Agent':
    case 'Group':
      return <ActorValue actor={object} link={link} />;
    case 'StatementRef':
      return <StatementLink id={object.id} link={link} />;
    case 'SubStatement':
      return <StatementCard statement={object} node={node} link={link} />;
    default:
      return 'id' in object ? (
        <ActivityValue activity={object} node={node} link={link} />
      ) : (
        <ActorValue actor={object} link={link} />
      );
  }
}
