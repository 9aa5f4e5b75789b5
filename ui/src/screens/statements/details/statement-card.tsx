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
  const { statement, node, ...linking } = props;
  const { statements } = useTexts();
  const { dateTime } = useFormats();
  const resultFacts = useResultFacts(statement.result, memberOf(node, 'result'));
  const contextFacts = useContextFacts(statement.context, { node: memberOf(node, 'context'), ...linking });
  const { actor, verb, object, timestamp, stored, authority, version, id } = statement;
  const facts: (Fact | undefined)[] = [
    { name: statements.actor, value: <ActorValue actor={actor} {...linking} /> },
    { name: statements.verb, value: <VerbValue verb={verb} {...linking} /> },
    {
      name: statements.object,
      value: <ObjectValue object={object} node={memberOf(node, 'object')} {...linking} />,
    },
    ...resultFacts,
    ...contextFacts,
    timestamp === undefined ? undefined : { name: statements.timestamp, value: dateTime(timestamp) },
    stored === undefined ? undefined : { name: statements.stored, value: dateTime(stored) },
    authority && {
      name: statements.authority,
      value: <ActorValue actor={authority} {...linking} isRelated />,
    },
    version === undefined ? undefined : { name: statements.version, value: version },
    id === undefined ? undefined : { name: statements.id, value: id },
  ];
  const label = linking.isRelated ? statements.subStatement : statements.card;
  return <Facts label={label} facts={facts.filter((fact) => fact !== undefined)} />;
}

interface ObjectValueProps extends Linking {
  readonly object: StatementObject;
  readonly node: JsonNode | undefined;
}

function ObjectValue({ object, node, ...linking }: ObjectValueProps) {
  switch (object.objectType) {
    case 'Agent':
    case 'Group':
      return <ActorValue actor={object} {...linking} />;
    case 'StatementRef':
      return <StatementLink id={object.id} {...linking} />;
    case 'SubStatement':
      return <StatementCard statement={object} node={node} {...linking} isRelated />;
    default:
      return 'id' in object ? (
        <ActivityValue activity={object} node={node} {...linking} />
      ) : (
        <ActorValue actor={object} {...linking} />
      );
  }
}
