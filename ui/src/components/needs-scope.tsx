import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { permits, type Scope, type ScopedResource, scopes } from '../../../lib/xapi/scopes.ts';
import type { XapiAccess } from '../api/xapi.ts';
import { useTexts } from '../texts/texts.tsx';
import { NeedsKey } from './needs-key.tsx';

interface NeedsScopeProps {
  readonly resource: ScopedResource;
  readonly access: 'read' | 'write';
  readonly children: (xapi: XapiAccess) => ReactNode;
}

/** Shows what needs a resource of the xAPI, or says which scope the chosen key pair lacks for it. */
export function NeedsScope({ resource, access, children }: NeedsScopeProps) {
  return (
    <NeedsKey>
      {(xapi) =>
        permits(xapi.credential.scopes, resource, access) ? (
          children(xapi)
        ) : (
          <MissingScope access={access} wanted={scopes.filter((each) => permits([each], resource, access))} />
        )
      }
    </NeedsKey>
  );
}

function MissingScope({
  access,
  wanted,
}: Pick<NeedsScopeProps, 'access'> & { readonly wanted: readonly Scope[] }) {
  const { frame } = useTexts();
  return (
    <Alert title={frame.missingScope[access]}>
      <Text size="sm">{frame.missingScopeText(wanted.join(', '))}</Text>
    </Alert>
  );
}
