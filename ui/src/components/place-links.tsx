import { Anchor, Group } from '@mantine/core';
import { Link } from 'react-router';
import { type Query, searchOf } from '../api/address.ts';

interface PlaceLinksProps {
  readonly label: string;
  readonly places: readonly Place[];
}

interface Place {
  readonly name: string;
  /** Of a screen. */
  readonly path: string;
  readonly query: Query;
}

/** Links to other pages about the same thing. */
export function PlaceLinks({ label, places }: PlaceLinksProps) {
  return (
    <Group component="nav" aria-label={label} gap="md">
      {places.map(({ name, path, query }) => (
        <Anchor
          key={name}
          component={Link}
          size="sm"
          lh="24px"
          to={{ pathname: path, search: searchOf(query) }}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
