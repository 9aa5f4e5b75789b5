import { Anchor, Text } from '@mantine/core';

interface WebLinkProps {
  readonly address: string;
  /** What is seen instead of the address. */
  readonly children?: string;
}

/** A link to a page of the web. Whoever sends data can name any address, such as one of a script: others stay text. */
export function WebLink({ address, children = address }: WebLinkProps) {
  const look = { size: 'sm', className: 'wrap-anywhere' } as const;
  if (!/^https?:/i.test(address)) return <Text {...look}>{children}</Text>;
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" {...look}>
      {children}
    </Anchor>
  );
}
