import { createContext } from 'react';

/** Whether something is shown over the page, where notices of the page itself are covered. */
export const OverPageContext = createContext(false);
