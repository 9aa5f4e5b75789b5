import type { XapiAccess } from '../../api/xapi.ts';
import type { Address } from './use-address.ts';

/** What the parts of the screen need that show statements. */
export interface ListProps {
  readonly xapi: XapiAccess;
  readonly address: Address;
}
