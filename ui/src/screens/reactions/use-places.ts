import type { ListAddress } from '../../components/use-list-address.ts';

/** Where on the page of reactions somebody is: all of it is in the address. */
export interface Places {
  /** The reaction that is edited, or `new`. */
  readonly edited: string | undefined;
  /** The reaction whose details are open. */
  readonly shown: string | undefined;
  /** Whether the deleted ones are listed. */
  readonly isDeleted: boolean;
  readonly showDeleted: (isDeleted: boolean) => void;
  readonly edit: (id: string) => void;
  /** Opens the details of a reaction, or the list. */
  readonly open: (id: string | undefined) => void;
}

export function usePlaces({ place, go }: ListAddress): Places {
  return {
    edited: place.filters.edit,
    shown: place.show,
    isDeleted: place.filters.deleted === 'true',
    showDeleted: (isDeleted) => go({ filters: isDeleted ? { deleted: 'true' } : {}, show: undefined }),
    edit: (id) => go({ filters: { edit: id }, show: undefined }),
    open: (id) => go({ filters: {}, show: id }),
  };
}
