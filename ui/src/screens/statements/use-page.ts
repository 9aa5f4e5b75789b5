import { useQuery } from '@tanstack/react-query';
import type { XapiAccess } from '../../api/xapi.ts';
import { useLanguages } from '../../texts/use-names.ts';
import { pageQuery } from './queries.ts';
import type { Place } from './use-address.ts';

/** The page that the address names; while new statements are followed, none. */
export function usePage(xapi: XapiAccess, { filters, from, live }: Place) {
  const languages = useLanguages();
  return useQuery({ ...pageQuery({ xapi, filters, from, languages }), enabled: !live });
}
