import { Center, Loader } from '@mantine/core';

/** Stands where something is still on its way. */
export function Waiting({ fullPage = false }: { readonly fullPage?: boolean }) {
  return (
    <Center p="xl" {...(fullPage && { mih: '100vh' })} aria-busy>
      <Loader />
    </Center>
  );
}
